import { type Answer, detailsOf, shapeOf } from './answer.ts';
import { AwsError } from './awsError.ts';
import { connection } from './connection.ts';
import { postJson } from './jsonCall.ts';
import { Retries, usualPatience } from './retries.ts';
import type { ConnectionPolicy, Transport } from './transport.ts';

/** Speaks Secrets Manager's JSON 1.1, and asks for nothing but a secret. */
export class SecretsClient {
  readonly #transport: Transport;
  readonly #retries = new Retries(usualPatience);

  constructor(own: Partial<ConnectionPolicy> = {}) {
    this.#transport = connection(own).requestHandler;
  }

  /** Throws an `AwsError`; else what stood in the way. All of it ends with the deadline of the work. */
  async read(secretId: string): Promise<string> {
    const { SecretString = '' } = await this.#retries.run<{ SecretString?: string }>(() =>
      postJson(this.#transport, {
        service: 'secretsmanager',
        target: 'secretsmanager.GetSecretValue',
        headers: { 'content-type': 'application/x-amz-json-1.1' },
        body: Buffer.from(JSON.stringify({ SecretId: secretId })),
        errorOf,
      }),
    );
    return SecretString;
  }

  destroy(): void {
    this.#transport.destroy();
  }
}

function errorOf(answer: Answer): AwsError {
  const told = detailsOf(answer.text);
  const name = shapeOf(told, answer) ?? 'SecretsManagerError';
  return new AwsError('Secrets Manager', name, told, answer);
}

/** The text of a secret in Secrets Manager; empty for one that holds bytes. */
export async function secretValue(secretId: string): Promise<string> {
  const client = new SecretsClient();
  try {
    return await client.read(secretId);
  } finally {
    client.destroy();
  }
}
