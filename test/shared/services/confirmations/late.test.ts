import { operatorContext } from '../context.ts';
import { startQueuesAndTable } from '../queuesAndTable.ts';

let engines: Awaited<ReturnType<typeof startQueuesAndTable>>;
let verbs: Awaited<ReturnType<typeof load>>;
let workspaceId: string;
let people = 0;

const load = async () => ({
  ...(await import('../../../../shared/services/confirmations/ask.ts')),
  ...(await import('../../../../shared/services/confirmations/send.ts')),
  ...(await import('../../../../shared/services/subscribers/change.ts')),
  ...(await import('../../../../shared/services/workspaces/create.ts')),
  ...(await import('../../../../shared/store/person/people.ts')),
  ...(await import('../../../../shared/domain/person/consent.ts')),
  ...(await import('../../../../shared/domain/person/confirmation.ts')),
});

beforeAll(async () => {
  engines = await startQueuesAndTable();
  process.env.CONFIRMATION_QUEUE_URL = engines.queues.confirmation?.url ?? '';
  process.env.WEBHOOK_DELIVERY_QUEUE_URL = engines.queues['webhook-delivery']?.url ?? '';
  verbs = await load();
  const made = await verbs.createWorkspace(operatorContext(), { name: 'Test', plan: 'growth', language: 'en' });
  workspaceId = made.id;
});
afterAll(() => engines.stop());

const today = new Date('2026-11-20T12:00:00Z');
const ago = (days: number) => new Date(today.getTime() - days * 86_400_000);

/** Somebody new, and what is known of them. */
function somebody() {
  people += 1;
  const email = `person${people}@people.example`;
  const names = { firstName: null, lastName: null };
  const change = (how: Parameters<typeof verbs.changePerson>[3], at: Date) =>
    verbs.changePerson({ workspaceId, email }, 'link', at, how);
  return {
    email,
    /** What the worker does at `now` with a form that was sent at `askedAt`. */
    asks: (askedAt: Date, now = today) =>
      verbs.askForConsent({ workspaceId, email, ...names, askedAt: askedAt.toISOString() }, now),
    leaves: (at: Date) =>
      change(({ person }) => ({ person: verbs.leave(person, 'unsubscribe', at), result: undefined }), at),
    changes: change,
    person: async () => (await verbs.getAddress(workspaceId, email)).person,
  };
}

describe('a form that lay among what was given up', () => {
  it('is answered while its link would live, and not after that', async () => {
    const [late, tooLate] = [somebody(), somebody()];
    await late.asks(ago(6));
    await tooLate.asks(ago(8));
    expect((await late.person()).confirmation).toMatchObject({ round: 1, requestedAt: today.toISOString() });
    expect(await tooLate.person()).toMatchObject({ version: 0, subscriber: null });
  });

  it('asks nobody who has left since', async () => {
    const [left, came] = [somebody(), somebody()];
    await left.leaves(ago(1));
    await left.asks(ago(2));
    expect((await left.person()).confirmation).toBeNull();
    await came.leaves(ago(2));
    await came.asks(ago(1));
    expect((await came.person()).confirmation).toMatchObject({ round: 1 });
  });

  it('that comes twice is one question, however long after', async () => {
    const twice = somebody();
    await twice.asks(ago(2), ago(2));
    await twice.asks(ago(2));
    expect((await twice.person()).confirmation).toMatchObject({ round: 1 });
    await twice.asks(ago(1));
    expect((await twice.person()).confirmation).toMatchObject({ round: 2 });
  });
});

describe('a question that was owed for longer than its link lives', () => {
  it('is not put any more', async () => {
    const forgotten = somebody();
    await forgotten.changes(
      ({ person }) => ({ person: verbs.requestConfirmation(person, 'c1', ago(8)), result: undefined }),
      ago(8),
    );
    await verbs.sendConfirmation(workspaceId, forgotten.email, today);
    expect((await forgotten.person()).confirmation).toBeNull();
  });
});
