import { type Answer, detailsOf, GarbledAnswer, restShapeOf } from '../../platform/aws/answer.ts';
import { AwsError } from '../../platform/aws/awsError.ts';
import { connection } from '../../platform/aws/connection.ts';
import { Retries, usualPatience } from '../../platform/aws/retries.ts';
import { askSigned } from '../../platform/aws/signedCall.ts';
import type { ConnectionPolicy, Transport } from '../../platform/aws/transport.ts';

interface Asked {
  readonly method: 'POST' | 'DELETE';
  /** Of the schedule: 1 to 64 of `A-Z a-z 0-9 - _ .`, as all that comes into a path or a query here. */
  readonly name: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly input?: object;
}

/** Speaks EventBridge Scheduler's JSON over REST, as far as schedules are made and deleted. */
export class SchedulerClient {
  readonly #transport: Transport;
  readonly #retries = new Retries(usualPatience);

  constructor(own: Partial<ConnectionPolicy> = {}) {
    this.#transport = connection(own).requestHandler;
  }

  /** Throws an `AwsError`; else what stood in the way. All of it ends with the deadline of the work. */
  call({ method, name, query = {}, input }: Asked): Promise<void> {
    const body = Buffer.from(input ? JSON.stringify(input) : '');
    const headers: Record<string, string> = input ? { 'content-type': 'application/json' } : {};
    const request = { service: 'scheduler', method, path: `/schedules/${name}`, query, headers, body } as const;
    return this.#retries.run(async () => {
      const answer = await askSigned(this.#transport, request);
      if (answer.status !== 200) throw errorOf(answer);
      // Whatever stands between may say 200 too; to a deletion there is no answer but that.
      const isNamed = method === 'DELETE' || 'ScheduleArn' in detailsOf(answer.text);
      if (!isNamed) throw new GarbledAnswer('The Scheduler names no schedule that it made.');
    });
  }

  destroy(): void {
    this.#transport.destroy();
  }
}

function errorOf(answer: Answer): AwsError {
  const told = detailsOf(answer.text);
  const name = restShapeOf(told, answer) ?? 'SchedulerError';
  return new AwsError('The Scheduler', name, told, answer);
}

/** That of this process. */
export const scheduler = new SchedulerClient();
