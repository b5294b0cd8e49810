import { startFiles } from '../../../../infra/local/s3/server.ts';
import { temporaryFolder } from '../../../infra/local/processes.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** The bucket on an engine of its own, and this process's environment pointed at it; to be started before it is used. */
export async function startTestBucket(): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const folder = await temporaryFolder();
  const engine = await startFiles({ dataDir: folder.path, credentials });
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_S3: engine.endpoint,
    FILES_BUCKET: 'test-files',
  });
  return {
    endpoint: engine.endpoint,
    stop: async () => {
      await engine.stop();
      await folder.remove();
    },
  };
}
