import { createId } from '../../../../../shared/domain/identifier.ts';
import { addressHash } from '../../../../../shared/domain/person/erased.ts';
import type { FeedbackEvent } from '../../../../../shared/domain/sending/feedbackEvent.ts';
import { newWebhook, type WebhookEventType } from '../../../../../shared/domain/webhook/webhook.ts';
import type { Email } from '../../../../../shared/store/emails/email.ts';
import { aroundCalls } from '../../../store/aroundCalls.ts';
import { startTestTable } from '../../../store/testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;
/** While true, eventually consistent reads see nothing. */
let isBehind = false;
let calls: string[] = [];
let webhookReads = 0;

async function load() {
  const [reservations, emails, record, batch, table] = await Promise.all([
    import('../../../../../shared/store/quota/reservations.ts'),
    import('../../../../../shared/store/emails/email.ts'),
    import('../../../../../shared/services/feedback/recordFeedback.ts'),
    import('../../../../../shared/services/feedback/batch.ts'),
    import('../../../../../shared/store/table/table.ts'),
  ]);
  const [hooks, deliveries, erased] = await Promise.all([
    import('../../../../../shared/store/webhook/webhooks.ts'),
    import('../../../../../shared/store/webhook/deliveries.ts'),
    import('../../../../../shared/store/suppression/platformSuppression.ts'),
  ]);
  const transaction = await import('../../../../../shared/store/table/transaction.ts');
  return {
    ...reservations,
    ...emails,
    ...record,
    ...batch,
    ...table,
    ...hooks,
    ...deliveries,
    ...erased,
    ...transaction,
  };
}

type Read = { RequestItems?: Record<string, { ConsistentRead?: boolean }> };

beforeAll(async () => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
  // A list by recipient asks, once for a workspace and batch, whether somebody was erased.
  process.env.EMAIL_LIST = 'newest';
  table = await startTestTable();
  modules = await load();
  aroundCalls(modules.documents, (next) => async (command) => {
    const { operation, input } = command as { operation: string; input: Read };
    const consistent = input.RequestItems?.test?.ConsistentRead;
    calls.push(consistent === undefined ? operation : `${operation} ${consistent ? 'strong' : 'eventual'}`);
    if (JSON.stringify(input).includes('#WEBHOOKS"')) webhookReads += 1;
    const output = await next(command);
    return isBehind && consistent === false ? { ...output, Responses: {} } : output;
  });
});
afterAll(() => table.stop());
beforeEach(() => {
  isBehind = false;
});

const now = new Date();

async function newEmail(): Promise<{ email: Email; minute: number }> {
  const id = createId('email', now);
  const to = [`${id}@example.net`];
  const email: Email = {
    ...{ workspaceId: 'ws_1', id, from: 'a@example.com', to, cc: [], bcc: [], replyTo: [], subject: 's', tags: [] },
    ...{ envelopes: [to], createdAt: now.toISOString(), expiresAt: 9_999_999_999, isQuotaExempt: false },
  };
  const reserved = await modules.reserve(email, { recipients: 1, counted: 1 }, 1_000_000, now, 'only');
  if (!reserved.ok) throw new Error('There was no room.');
  return { email, minute: reserved.minute };
}

const report = ({ email, minute }: { email: Email; minute: number }, messageId: string) =>
  modules.recordFeedback(
    {
      origin: { kind: 'email', id: email.id, workspaceId: 'ws_1', envelope: 0, minute },
      message: { id: messageId, sentAt: now, subject: null, tags: [] },
      events: [{ type: 'accepted', recipients: [], at: new Date(0) }],
    },
    modules.openBatch(now),
  );

describe('the Send events of a batch', () => {
  it('cost one eventually consistent read, and no write, when the acceptances are known', async () => {
    const sends = await Promise.all(Array.from({ length: 10 }, newEmail));
    for (const { email, minute } of sends) await modules.acceptEnvelope(email, 0, `message of ${email.id}`, minute);
    calls = [];
    await Promise.all(sends.map((send) => report(send, `message of ${send.email.id}`)));
    expect(calls).toEqual(['BatchGetItem eventual']);
  });

  it('record acceptances after a crash', async () => {
    const send = await newEmail();
    await report(send, 'taken');
    expect((await modules.findEmail('ws_1', send.email.id))?.messageIds).toEqual(['taken']);
  });

  it('do not overwrite an acceptance that the read did not see yet', async () => {
    const send = await newEmail();
    await modules.acceptEnvelope(send.email, 0, 'taken', send.minute);
    isBehind = true;
    calls = [];
    await report(send, 'taken');
    expect(calls).toEqual(['BatchGetItem eventual', 'BatchGetItem strong']);
  });
});

describe('what webhooks are told of a message', () => {
  const message = { id: 'message', sentAt: now, subject: 'Hello', tags: [] };
  const two = ['ada@example.net', 'bob@example.net'];
  const accepted = { type: 'accepted', recipients: two, at: now } as const;
  const dropped = { type: 'dropped', recipients: two, at: now, cause: 'Reject', reason: 'Bad content' } as const;
  let made = 0;

  /** A workspace with a webhook for these events. */
  async function listening(events: readonly WebhookEventType[]) {
    made += 1;
    const workspaceId = `ws_listening_${made}`;
    const position = { workspaceId, webhookId: createId('whk', now) };
    const settings = { name: 'Hook', url: 'https://example.com/', events, enabled: true };
    await modules.addWebhook(newWebhook(position, settings, 'sealed', now), 20);
    return position;
  }

  /** Records an event twice, as SQS may deliver it; resolves with the webhook events that were written. */
  async function told(position: { workspaceId: string; webhookId: string }, event: FeedbackEvent, isMarked = true) {
    const origin = {
      kind: 'email',
      id: 'email_1',
      workspaceId: position.workspaceId,
      envelope: 0,
      minute: 1,
      ...(isMarked && { reports: 'sent' as const }),
    } as const;
    for (let time = 0; time < 2; time += 1)
      await modules.recordFeedback({ origin, message, events: [event] }, modules.openBatch(now));
    const deliveries = await modules.listAnyDeliveries(position, 100);
    return deliveries.map(({ body, lane }) => ({ ...JSON.parse(body), lane }));
  }

  it('that SES took it, for each recipient once', async () => {
    const events = await told(await listening(['email.sent']), accepted);
    expect(events.map(({ type, lane, data }) => [type, lane, data.recipient]).sort()).toEqual([
      ['email.sent', 'live', two[0]],
      ['email.sent', 'live', two[1]],
    ]);
    expect(events[0]).toMatchObject({
      created_at: now.toISOString(),
      data: { email_id: 'email_1', campaign_id: null },
    });
  });

  it('that SES never sent it', async () => {
    const events = await told(await listening(['email.failed']), dropped);
    const failure = { type: 'Reject', diagnostic: 'Bad content' };
    expect(events.map(({ type, data }) => [type, data.failure])).toEqual(two.map(() => ['email.failed', failure]));
  });

  it('nothing of a person who was erased', async () => {
    const position = await listening(['email.sent', 'email.failed']);
    await modules.markErased(position.workspaceId, now);
    const hash = addressHash(await modules.ensureSalt(), two[0] ?? '');
    const left = { isErased: true, reason: 'unsubscribe', at: now.toISOString() } as const;
    const part = modules.erasedPart(hash, position.workspaceId, null, left);
    if (part) await modules.transact([part]);
    const events = [...(await told(position, accepted)), ...(await told(position, dropped))];
    expect(new Set(events.map(({ data }) => data.recipient))).toEqual(new Set([two[1]]));
  });

  it('nothing that no webhook wants: a message without the mark costs no read of webhooks', async () => {
    const position = await listening(['email.delivered']);
    expect(await told(position, accepted)).toEqual([]);
    expect(webhookReads).toBeGreaterThan(0);
    [calls, webhookReads] = [[], 0];
    expect(await told(position, accepted, false)).toEqual([]);
    expect(webhookReads).toBe(0);
    expect(calls.filter((operation) => /Put|Update|Transact|Write/.test(operation))).toEqual([]);
  });

  it('a diagnostic of at most 500 characters', async () => {
    const event = { type: 'undelivered', recipient: 'ada@example.net', at: now } as const;
    const failure = { type: 'Transient', diagnostic: 'x'.repeat(900) };
    const [written] = await told(await listening(['email.failed']), { ...event, failure });
    expect(written.data.failure).toEqual({ type: 'Transient', diagnostic: 'x'.repeat(500) });
  });
});
