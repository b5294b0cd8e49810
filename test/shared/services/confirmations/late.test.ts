import { operatorContext } from '../context.ts';
import { startQueuesAndTable } from '../queuesAndTable.ts';

let engines: Awaited<ReturnType<typeof startQueuesAndTable>>;
let verbs: Awaited<ReturnType<typeof load>>;
let workspaceId: string;
let people = 0;

const load = async () => ({
  ...(await import('../../../../shared/services/confirmations/askForConsent.ts')),
  ...(await import('../../../../shared/services/confirmations/sendConfirmation.ts')),
  ...(await import('../../../../shared/services/people.ts')),
  ...(await import('../../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../../shared/store/person/people.ts')),
  ...(await import('../../../../shared/domain/person/consent.ts')),
  ...(await import('../../../../shared/domain/person/consent.ts')),
});

beforeAll(async () => {
  engines = await startQueuesAndTable();
  verbs = await load();
  const made = await verbs.createWorkspace(operatorContext(), { name: 'Test', plan: 'growth', language: 'en' });
  workspaceId = made.id;
});
afterAll(() => engines.stop());

const today = new Date('2026-11-20T12:00:00Z');
const ago = (days: number) => new Date(today.getTime() - days * 86_400_000);

/** A new person, with functions to act on them. */
function somebody() {
  people += 1;
  const email = `person${people}@people.example`;
  const names = { firstName: null, lastName: null };
  const change = (how: Parameters<typeof verbs.changePerson>[3], at: Date) =>
    verbs.changePerson({ workspaceId, email }, 'link', at, how);
  return {
    email,
    /** Handles at `now` a form that was sent at `askedAt`. */
    asks: (askedAt: Date, now = today) =>
      verbs.askForConsent({ workspaceId, email, ...names, askedAt: askedAt.toISOString() }, now),
    leaves: (at: Date) =>
      change(({ person }) => ({ person: verbs.leave(person, 'unsubscribe', at), result: undefined }), at),
    changes: change,
    person: async () => (await verbs.getAddress(workspaceId, email)).person,
  };
}

describe('a form that arrives late from the dead-letter queue', () => {
  it('is handled as long as its link would be valid', async () => {
    const [late, tooLate] = [somebody(), somebody()];
    await late.asks(ago(6));
    await tooLate.asks(ago(8));
    expect((await late.person()).confirmation).toMatchObject({ round: 1, requestedAt: today.toISOString() });
    expect(await tooLate.person()).toMatchObject({ version: 0, subscriber: null });
  });

  it('is ignored for a person who has left since', async () => {
    const [left, came] = [somebody(), somebody()];
    await left.leaves(ago(1));
    await left.asks(ago(2));
    expect((await left.person()).confirmation).toBeNull();
    await came.leaves(ago(2));
    await came.asks(ago(1));
    expect((await came.person()).confirmation).toMatchObject({ round: 1 });
  });

  it('that arrives twice is one request for consent, at any time', async () => {
    const twice = somebody();
    await twice.asks(ago(2), ago(2));
    await twice.asks(ago(2));
    expect((await twice.person()).confirmation).toMatchObject({ round: 1 });
    await twice.asks(ago(1));
    expect((await twice.person()).confirmation).toMatchObject({ round: 2 });
  });
});

describe('a confirmation that was due for longer than its link is valid', () => {
  it('is not sent any more', async () => {
    const forgotten = somebody();
    await forgotten.changes(
      ({ person }) => ({ person: verbs.requestConfirmation(person, 'c1', ago(8)), result: undefined }),
      ago(8),
    );
    await verbs.sendConfirmation(workspaceId, forgotten.email, today);
    expect((await forgotten.person()).confirmation).toBeNull();
  });
});
