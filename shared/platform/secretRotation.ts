import { open, readFile, rename, rm } from 'node:fs/promises';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { connection } from './aws/clients.ts';
import { config, hasConfig } from './config.ts';
import { generations, parseStoredSecret, rotated, type SecretName } from './secret.ts';

/**
 * Where the new secret is written before it becomes current: a staging label in Secrets Manager, a file extension on a
 * laptop.
 */
const draftStage = 'MAILROOMROTATION';
const draftEnding = '.next';

/**
 * Creates a new current secret and keeps all earlier ones; returns how many there are. The change is atomic, and of two
 * concurrent rotations one fails: otherwise signatures under the other's secret would become invalid.
 */
export async function rotateStoredSecret(name: SecretName): Promise<number> {
  return hasConfig(`${name}_FILE`) ? rotateFile(config(`${name}_FILE`)) : rotateInSecretsManager(config(`${name}_ID`));
}

async function rotateFile(path: string): Promise<number> {
  const draft = await open(path + draftEnding, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Error(`Another rotation is under way; when there is none, remove ${path}${draftEnding} and try again.`);
  });
  try {
    const next = rotated(parseStoredSecret(await readFile(path, 'utf8')));
    await draft.writeFile(`${JSON.stringify(next, null, 2)}\n`);
    await draft.sync();
    await rename(path + draftEnding, path);
    return generations(next).length;
  } catch (error) {
    await rm(path + draftEnding, { force: true });
    throw error;
  } finally {
    await draft.close();
  }
}

/**
 * Moves the label AWSCURRENT from exactly the version that was read:
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html
 */
async function rotateInSecretsManager(SecretId: string): Promise<number> {
  const client = new SecretsManagerClient(connection());
  try {
    const read = await client.send(new GetSecretValueCommand({ SecretId }));
    const next = rotated(parseStoredSecret(read.SecretString ?? ''));
    const SecretString = JSON.stringify(next);
    const written = await client.send(
      new PutSecretValueCommand({ SecretId, SecretString, VersionStages: [draftStage] }),
    );
    await client.send(
      new UpdateSecretVersionStageCommand({
        SecretId,
        VersionStage: 'AWSCURRENT',
        RemoveFromVersionId: read.VersionId,
        MoveToVersionId: written.VersionId,
      }),
    );
    return generations(next).length;
  } finally {
    client.destroy();
  }
}
