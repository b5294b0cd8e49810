import { SNSClient } from '@aws-sdk/client-sns';
import { connection } from '../../../shared/platform/aws/connection.ts';
import { serveInThread } from '../engines/engineThread.ts';
import { topicPublisher } from '../messaging/topicPublisher.ts';
import { type LocalSesOptions, startLocalSes } from './server.ts';

/** The options of `startLocalSes`, with the topic's endpoint instead of a function, which cannot change threads. */
export type LocalSesThreadOptions = Omit<LocalSesOptions, 'publish' | 'now'> & {
  readonly snsEndpoint: string;
  readonly region: string;
  /** None: the SDK's own chain, for a topic that the user brings. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
};

await serveInThread(async ({ snsEndpoint, region, credentials, ...options }: LocalSesThreadOptions) => {
  const sns = new SNSClient({ ...connection(), endpoint: snsEndpoint, region, ...(credentials && { credentials }) });
  const publish = topicPublisher(sns);
  const ses = await startLocalSes({ ...options, publish }).catch((error: NodeJS.ErrnoException) => {
    // The port is only a wish: somebody else may have it.
    if (error.code !== 'EADDRINUSE') throw error;
    return startLocalSes({ ...options, port: 0, publish });
  });
  return {
    ...ses,
    stop: async () => {
      await ses.stop();
      sns.destroy();
    },
  };
});
