import { connection } from '../../platform/aws/connection.ts';
import { postJson } from '../../platform/aws/jsonCall.ts';
import { Retries, usualPatience } from '../../platform/aws/retries.ts';
import type { ConnectionPolicy, Transport } from '../../platform/aws/transport.ts';
import { errorOf } from './errors.ts';
import type { Input, Output, Target } from './operations.ts';

/**
 * Has errors named as the SDK names them. Without it, those that SQS's model does not know have another name than in
 * its older protocol: https://smithy.io/2.0/aws/protocols/aws-query-protocol.html ("awsQueryCompatible").
 */
const headers = { 'x-amzn-query-mode': 'true' };

/** Speaks SQS's JSON 1.0. Where SQS is follows from the region or `AWS_ENDPOINT_URL`, and not from a queue's URL. */
export class SqsClient {
  readonly #transport: Transport;
  readonly #retries = new Retries(usualPatience);

  constructor(own: Partial<ConnectionPolicy> = {}) {
    this.#transport = connection(own).requestHandler;
  }

  /** Throws an `AwsError`; else what stood in the way. All of it ends with the deadline of the work. */
  call<Asked extends Target>(target: Asked, input: Input<Asked>): Promise<Output<Asked>> {
    return this.attempting(() => this.ask(target, input));
  }

  /** As `call`, without another attempt. */
  async ask<Asked extends Target>(target: Asked, input: Input<Asked>): Promise<Output<Asked>> {
    const body = Buffer.from(JSON.stringify(input));
    return (await postJson(this.#transport, { service: 'sqs', target, headers, body, errorOf })) as Output<Asked>;
  }

  /** For attempts that each ask something else. */
  attempting<Result>(attempt: () => Promise<Result>): Promise<Result> {
    return this.#retries.run(attempt);
  }

  destroy(): void {
    this.#transport.destroy();
  }
}

/** That of this process. */
export const sqs = new SqsClient();
