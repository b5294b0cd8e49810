import { minuteOf, settlesAt } from '../../../../shared/domain/sending/minute.ts';
import { createId } from '../../../../shared/domain/token/identifier.ts';
import type { Email } from '../../../../shared/store/sending/email.ts';
import { aroundCalls } from '../../store/aroundCalls.ts';
import { startTestTable } from '../../store/testTable.ts';

const at = new Date('2026-06-15T12:00:30.000Z');
const limit = 5000;

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;
/** Writes that DynamoDB refuses, by the beginning of their expression. */
let failing: string | null = null;

async function load() {
  const [early, reservation, usage, sends, emails, sweep, table] = await Promise.all([
    import('../../../../shared/services/emails/earlyReservation.ts'),
    import('../../../../shared/services/emails/reservation.ts'),
    import('../../../../shared/store/sending/usage.ts'),
    import('../../../../shared/store/sending/sends.ts'),
    import('../../../../shared/store/sending/emails.ts'),
    import('../../../../shared/services/sweep/openSends.ts'),
    import('../../../../shared/store/table/table.ts'),
  ]);
  return { ...early, ...reservation, ...usage, ...sends, ...emails, ...sweep, ...table };
}

beforeAll(async () => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
  table = await startTestTable();
  modules = await load();
  aroundCalls(modules.documents, (next) => async (command) => {
    const { UpdateExpression } = command.input as { UpdateExpression?: string };
    if (failing !== null && UpdateExpression?.startsWith(failing)) throw new Error('Refused.');
    return next(command);
  });
});
afterAll(() => table.stop());
afterEach(() => {
  failing = null;
});

function newEmail(workspaceId: string, recipients = 1): Email {
  const id = createId('email', at);
  const to = Array.from({ length: recipients }, (_, index) => `${id}.${index}@example.net`);
  return {
    ...{ workspaceId, id, from: 'a@example.com', to, cc: [], bcc: [], replyTo: [], subject: 's', tags: [] },
    ...{ envelopes: [to], createdAt: at.toISOString(), expiresAt: 9_999_999_999, isQuotaExempt: false },
  };
}

const newWorkspace = () => createId('ws', new Date());
const early = (email: Email) => modules.reserveEarly(email, email.to, at);
const month = (workspaceId: string) => modules.getMonth(workspaceId, '2026-06');
const listed = async (workspaceId: string) => (await modules.listSends(workspaceId, minuteOf(at))).map(({ id }) => id);
const seen = (workspaceId: string, used = 0) => modules.noteSighting(workspaceId, { limit, used });

describe('a reservation beside the checks', () => {
  it('is not made before the process has sent for the workspace', () => {
    expect(early(newEmail(newWorkspace()))).toBeNull();
  });

  it('is one like any other when the checks find what it was made on', async () => {
    const email = newEmail(newWorkspace(), 3);
    seen(email.workspaceId);
    expect(await early(email)?.take(limit)).toBe(minuteOf(at));
    expect((await month(email.workspaceId)).used).toBe(3);
    expect(await listed(email.workspaceId)).toEqual([email.id]);
  });

  it('is given back by a call that is refused, and nothing of its email is kept', async () => {
    const email = newEmail(newWorkspace(), 3);
    seen(email.workspaceId);
    await early(email)?.giveBack();
    expect(await month(email.workspaceId)).toMatchObject({ used: 0, minutes: [{ recipients: 0, counted: 0 }] });
    expect(await listed(email.workspaceId)).toEqual([]);
  });

  it('is not made by the call after a refused one', async () => {
    const { workspaceId } = newEmail(newWorkspace());
    seen(workspaceId);
    await early(newEmail(workspaceId))?.giveBack();
    expect(early(newEmail(workspaceId))).toBeNull();
  });

  it('is given back once, whatever is asked of it', async () => {
    const email = newEmail(newWorkspace(), 2);
    seen(email.workspaceId);
    const reservation = early(email);
    await reservation?.giveBack();
    await reservation?.giveBack();
    expect(await reservation?.take(limit)).toBeNull();
    expect((await month(email.workspaceId)).used).toBe(0);
  });

  it('stays taken by whoever took it', async () => {
    const email = newEmail(newWorkspace());
    seen(email.workspaceId);
    const reservation = early(email);
    await reservation?.take(limit);
    await reservation?.giveBack();
    expect((await month(email.workspaceId)).used).toBe(1);
  });

  it('does not stand when the plan has changed since', async () => {
    const email = newEmail(newWorkspace());
    seen(email.workspaceId);
    expect(await early(email)?.take(limit - 1)).toBeNull();
    expect((await month(email.workspaceId)).used).toBe(0);
  });

  it('leaves the last thousand places to those who reserve in turn', async () => {
    const near = newEmail(newWorkspace());
    seen(near.workspaceId, limit - 1000);
    expect(early(near)).toBeNull();
    const workspaceId = newWorkspace();
    await modules.reserveFor(
      newEmail(workspaceId, limit - 1000),
      newEmail(workspaceId, limit - 1000).to,
      limit,
      at,
      'only',
    );
    seen(workspaceId, 10);
    expect(await early(newEmail(workspaceId))?.take(limit)).toBeNull();
    expect((await month(workspaceId)).used).toBe(limit - 1000);
  });

  it('is made for the thousand workspaces that this process has sent for last, and no more are remembered', async () => {
    const [oldest, again] = [newWorkspace(), newWorkspace()];
    for (const workspaceId of [oldest, again]) seen(workspaceId);
    seen(newWorkspace());
    seen(again);
    for (let count = 0; count < 999; count += 1) seen(newWorkspace());
    expect(early(newEmail(oldest))).toBeNull();
    expect(await early(newEmail(again))?.take(limit)).toBe(minuteOf(at));
  });

  it('fails the call when DynamoDB fails it', async () => {
    const email = newEmail(newWorkspace());
    seen(email.workspaceId);
    failing = 'SET last_take';
    const reservation = early(email);
    await expect(reservation?.take(limit)).rejects.toThrow('Refused.');
    await reservation?.giveBack();
    expect((await month(email.workspaceId)).used).toBe(0);
  });

  it.each([
    ['the call died before it knew whether it might send', async () => {}],
    [
      'the call could not give it back',
      async (reservation: ReturnType<typeof early>) => {
        failing = 'SET last_return';
        await reservation?.giveBack();
      },
    ],
  ])('is given back when its minute is settled, since %s', async (_why, end) => {
    const workspaceId = newWorkspace();
    const [dead, sent] = [newEmail(workspaceId, 3), newEmail(workspaceId, 2)];
    seen(workspaceId);
    const minute = await early(sent)?.take(limit);
    await modules.acceptEnvelope(sent, 0, 'message', minute ?? 0);
    const reservation = early(dead);
    // It has been made, whatever becomes of the call.
    while ((await month(workspaceId)).used < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    await end(reservation);
    failing = null;
    expect((await month(workspaceId)).used).toBe(5);
    await modules.sweepOpenSends(settlesAt(minuteOf(at)));
    expect(await month(workspaceId)).toMatchObject({ used: 2, minutes: [] });
  });
});
