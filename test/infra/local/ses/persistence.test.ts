import { join } from 'node:path';
import { CreateEmailIdentityCommand, GetAccountCommand, GetEmailIdentityCommand } from '@aws-sdk/client-sesv2';
import { startLocalSes } from '../../../../infra/local/ses/server.ts';
import { kill, killChildren, startChild, temporaryFolder, until } from '../processes.ts';
import { type SesEvent, sesClient, simple, topicArn } from './harness.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  killChildren();
  await folder.remove();
});

/** A configuration set by plain HTTP, like those that the local service creates. */
async function createSet(endpoint: string): Promise<void> {
  const post = (path: string, body: object) =>
    fetch(`${endpoint}/v2/email/${path}`, { method: 'POST', body: JSON.stringify(body) });
  await post('configuration-sets', { ConfigurationSetName: 'mail' });
  const to = { Enabled: true, MatchingEventTypes: ['SEND', 'DELIVERY'], SnsDestination: { TopicArn: topicArn } };
  await post('configuration-sets/mail/event-destinations', { EventDestinationName: 'sns', EventDestination: to });
}

describe('a server that is killed after it accepted a message', () => {
  it('publishes the events of the message after the restart, and has lost nothing else', async () => {
    const databasePath = join(folder.path, 'ses.sqlite');
    const { child, firstLine: endpoint } = await startChild(`
      import { startLocalSes } from './infra/local/ses/server.ts';
      const publish = () => new Promise(() => {});
      const ses = await startLocalSes({ databasePath: ${JSON.stringify(databasePath)}, publish, faults: { event_delay_ms: 0 } });
      console.log(ses.endpoint);
    `);
    const before = sesClient(endpoint);
    await before.send(new CreateEmailIdentityCommand({ EmailIdentity: 'example.com' }));
    await createSet(endpoint);
    const { MessageId } = await before.send(simple());
    await kill(child, 'SIGKILL');

    const events: SesEvent[] = [];
    const publish = async (topic: string, json: string) => void events.push({ topic, ...JSON.parse(json) });
    const ses = await startLocalSes({ databasePath, publish });
    await until('both events are published', () => events.length === 2);
    const client = sesClient(ses.endpoint);
    expect(events.map((event) => [event.topic, event.eventType, event.mail.messageId])).toEqual([
      [topicArn, 'Send', MessageId],
      [topicArn, 'Delivery', MessageId],
    ]);
    const identity = await client.send(new GetEmailIdentityCommand({ EmailIdentity: 'example.com' }));
    const account = await client.send(new GetAccountCommand({}));
    const inbox: SesEvent = await (await fetch(`${ses.endpoint}/_inbox/messages`)).json();
    await ses.stop();
    expect(identity.VerifiedForSendingStatus).toBe(true);
    expect(account.SendQuota?.SentLast24Hours).toBe(1);
    expect(inbox.data).toMatchObject([{ message_id: MessageId, subject: 'Hello' }]);
  });
});

describe('a topic that cannot be reached', () => {
  it('gets the event as soon as it can be reached', async () => {
    const published: string[] = [];
    let calls = 0;
    const publish = async (_topic: string, json: string) => {
      calls += 1;
      if (calls <= 3) throw new Error('no such topic');
      published.push(JSON.parse(json).eventType);
    };
    const complaints = console.error;
    console.error = () => {};
    const ses = await startLocalSes({
      databasePath: join(folder.path, 'ses.sqlite'),
      publish,
      faults: { event_delay_ms: 0 },
    });
    try {
      const client = sesClient(ses.endpoint);
      await client.send(new CreateEmailIdentityCommand({ EmailIdentity: 'example.com' }));
      await createSet(ses.endpoint);
      await client.send(simple());
      await until('both events are published', () => published.length === 2);
    } finally {
      await ses.stop();
      console.error = complaints;
    }
    expect(published.toSorted()).toEqual(['Delivery', 'Send']);
  });
});
