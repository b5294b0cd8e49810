import { open, readFile, rename, rm } from 'node:fs/promises';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { connection } from './aws/connection.ts';
import { config, hasConfig } from './config.ts';
import { generations, parseStoredSecret, rotated } from './storedSecret.ts';

/** Where the rotated secret is written before it counts: a label of Secrets Manager, the ending of a file. */
const draftStage = 'MAILROOMROTATION';
const draftEnding = '.next';

/**
 * Makes a new service secret the current one and keeps all before it; answers how many there are now. It is swapped in
 * whole or not at all, and of two rotations at once one fails: otherwise what the other signed would die.
 */
export async function rotateServiceSecret(): Promise<number> {
  return hasConfig('SERVICE_SECRET_FILE')
    ? rotateFile(config('SERVICE_SECRET_FILE'))
    : rotateInSecretsManager(config('SERVICE_SECRET_ID'));
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
 * The label AWSCURRENT is moved from the very version that was read:
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
