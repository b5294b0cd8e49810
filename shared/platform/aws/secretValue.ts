import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { connection } from './connection.ts';

/** The text of a secret in Secrets Manager; empty for one that holds bytes. */
export async function secretValue(secretId: string): Promise<string> {
  const client = new SecretsManagerClient(connection());
  try {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    return SecretString;
  } finally {
    client.destroy();
  }
}
