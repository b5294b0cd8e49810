import { PurgeQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import type { LocalQueue } from '../../../../infra/local/messaging/queueResources.ts';
import { createId } from '../../../../shared/domain/identifier.ts';
import { logger } from '../../../../shared/platform/logger.ts';
import { startTestBucket } from '../../store/files/testBucket.ts';
import { operatorContext } from '../context.ts';
import { startQueuesAndTable } from '../queuesAndTable.ts';

const at = new Date('2026-06-15T12:00:00.000Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
const workspaceId = createId('ws', at);

let engines: Awaited<ReturnType<typeof startQueuesAndTable>>;
let bucket: Awaited<ReturnType<typeof startTestBucket>>;
let modules: Awaited<ReturnType<typeof load>>;
const load = async () => ({
  ...(await import('../../../../shared/services/emails/sendScheduled.ts')),
  ...(await import('../../../../shared/services/emails/idempotency.ts')),
  ...(await import('../../../../shared/services/emails/scheduledEmails.ts')),
  ...(await import('../../../../shared/store/emails/scheduledEmails.ts')),
  ...(await import('../../../../shared/store/feedbackWatermarks.ts')),
  ...(await import('../../../../shared/store/files/bucket.ts')),
});

beforeAll(async () => {
  [engines, bucket] = await Promise.all([startQueuesAndTable(), startTestBucket()]);
  modules = await load();
  logger.setLogLevel('SILENT');
});
afterAll(() => Promise.all([engines.stop(), bucket.stop()]));
afterEach(() => jest.restoreAllMocks());

/** One that is due, without its body. */
async function scheduled() {
  const id = createId('email', at);
  const content = {
    ...{ from: 'a@example.com', to: ['ada@example.net'], cc: [], bcc: [], replyTo: [], subject: 'Hi', tags: [] },
  };
  const times = { scheduledAt: at.toISOString(), createdAt: at.toISOString(), updatedAt: at.toISOString() };
  await modules.addScheduled(
    {
      ...{ workspaceId, id, content, state: 'scheduled', expiresAt: 9_999_999_999, inDoubt: [], tries: 0 },
      ...times,
    },
    { stage: 'queued', at },
  );
  return { kind: 'send', workspace_id: workspaceId, email_id: id, scheduled_at: at.toISOString() } as const;
}

const read = (id: string) => modules.getScheduled({ workspaceId, id });

describe('a scheduled email whose body is not found', () => {
  it('is looked at again, and ends only when its day is over', async () => {
    const message = await scheduled();
    await modules.handleScheduledMessage(message, later(1));
    expect(await read(message.email_id)).toMatchObject({ state: 'scheduled', tries: 1, isDue: true });
    await modules.handleScheduledMessage(message, later(3600));
    expect(await read(message.email_id)).toMatchObject({ state: 'scheduled', tries: 2 });
    await modules.handleScheduledMessage(message, later(25 * 3600));
    expect(await read(message.email_id)).toMatchObject({
      ...{ state: 'canceled', reason: 'send_failed', providerCode: 'BodyLost' },
    });
  });
});

describe('a scheduled email that is cancelled', () => {
  it('is cleaned up by the next call when the first one crashed before', async () => {
    const { email_id: id } = await scheduled();
    const own = await read(id);
    if (!own) throw new Error('It is not scheduled.');
    await modules.putBody(workspaceId, id, [Buffer.from('{}')]);
    await modules.endScheduled(own, { reason: 'requested' }, at, { stage: 'queued', at: later(60) });
    expect(await modules.cancelEmail(operatorContext(workspaceId), { id })).toMatchObject({ status: 'canceled' });
    expect(await read(id)).toMatchObject({ state: 'canceled', isDue: false });
    expect(await modules.getBody(workspaceId, id)).toBeNull();
  });
});

const places = ['queue', 'dead letters', 'queue of events that SNS could not deliver'] as const;

/** An event of the provider that nobody has read. */
async function unreadEvent(place: (typeof places)[number]) {
  const { url, deadLetter, undelivered } = engines.queues.feedback as LocalQueue;
  const QueueUrl = [url, deadLetter.url, undelivered?.url][places.indexOf(place)];
  await engines.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
  return async () => void (await engines.sqs.send(new PurgeQueueCommand({ QueueUrl })));
}

/** One whose worker died after it had claimed it. */
async function interrupted() {
  const message = await scheduled();
  const own = await read(message.email_id);
  if (!own) throw new Error('It is not scheduled.');
  await modules.claimScheduled(own, [], at, { stage: 'queued', at: later(90) });
  return message;
}

describe('while an event of the provider waits to be read', () => {
  it.each(places)('in the %s, a scheduled email that may be out waits, and goes on when it is read', async (place) => {
    const [message, readIt] = [await interrupted(), await unreadEvent(place)];
    // Events of later messages, and five minutes, prove nothing while one is unread.
    await modules.raiseEmailWatermark(later(300));
    for (const seconds of [400, 3600, 23 * 3600]) {
      await modules.handleScheduledMessage(message, later(seconds));
      expect(await read(message.email_id)).toMatchObject({ state: 'sending', claimedAt: at.getTime(), tries: 0 });
    }
    await readIt();
    await modules.handleScheduledMessage(message, later(23 * 3600 + 60));
    expect(await read(message.email_id)).toMatchObject({ state: 'scheduled', tries: 1 });
  });

  it('for a day, a scheduled email ends as unknown with an alarm, and is not sent again', async () => {
    const [message, readIt] = [await interrupted(), await unreadEvent('queue')];
    const alarm = jest.spyOn(logger, 'error');
    await modules.handleScheduledMessage(message, later(24 * 3600));
    expect(await read(message.email_id)).toMatchObject({ state: 'canceled', providerCode: 'Unknown' });
    expect(alarm).toHaveBeenCalledWith(expect.stringContaining('unknown'), expect.objectContaining({ SendUnknown: 1 }));
    await readIt();
    await modules.handleScheduledMessage(message, later(24 * 3600 + 60));
    expect(await read(message.email_id)).toMatchObject({ state: 'canceled' });
  });

  it('a key whose call was interrupted answers 409, and is sent again when it is read', async () => {
    const claim = (now: Date) => modules.claimKeyOf(workspaceId, 'key', { to: 'a' }, createId('email', at), now);
    expect(await claim(at)).toMatchObject({ kind: 'fresh' });
    const readIt = await unreadEvent('queue');
    for (const seconds of [400, 3600]) {
      await expect(claim(later(seconds))).rejects.toMatchObject({
        ...{ code: 'conflict', details: { status: 'unconfirmed' }, retryAfterSeconds: 30 },
      });
    }
    await readIt();
    expect(await claim(later(3700))).toMatchObject({ kind: 'resumed' });
  });
});
