import { createId } from '../../../../../shared/domain/identifier.ts';
import type { Email } from '../../../../../shared/store/emails/email.ts';
import { aroundCalls } from '../../../store/aroundCalls.ts';
import { startTestTable } from '../../../store/testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;
/** While true, eventually consistent reads see nothing. */
let isBehind = false;
let calls: string[] = [];

async function load() {
  const [reservations, emails, record, batch, table] = await Promise.all([
    import('../../../../../shared/store/quota/reservations.ts'),
    import('../../../../../shared/store/emails/email.ts'),
    import('../../../../../shared/services/feedback/recordFeedback.ts'),
    import('../../../../../shared/services/feedback/batch.ts'),
    import('../../../../../shared/store/table/table.ts'),
  ]);
  return { ...reservations, ...emails, ...record, ...batch, ...table };
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
      events: [{ type: 'accepted' }],
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
