import { SNSClient } from '@aws-sdk/client-sns';
import { connection } from '../../../shared/platform/aws/clients.ts';
import type { ClockCall, ClockReply } from '../clock/clockRoute.ts';
import { serveInThread } from '../engine/engineThread.ts';
import { topicPublisher } from '../messaging/topicPublisher.ts';
import { type LocalSesOptions, startLocalSes } from './server.ts';

/** The options of `startLocalSes`, with SNS's endpoint instead of a function, which cannot be sent to a thread. */
export type LocalSesThreadOptions = Omit<LocalSesOptions, 'publish' | 'now' | 'clock'> & {
  readonly snsEndpoint: string;
  readonly region: string;
  /** None: the SDK's own credentials, for the user's own SNS. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
};

await serveInThread(async ({ snsEndpoint, region, credentials, ...given }: LocalSesThreadOptions, ask) => {
  const options = { ...given, clock: async (call: ClockCall) => (await ask('clock', call)) as ClockReply };
  const sns = new SNSClient({ ...connection(), endpoint: snsEndpoint, region, ...(credentials && { credentials }) });
  const publish = topicPublisher(sns);
  const ses = await startLocalSes({ ...options, publish }).catch((error: NodeJS.ErrnoException) => {
    // Another program has the port: any free one does.
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
