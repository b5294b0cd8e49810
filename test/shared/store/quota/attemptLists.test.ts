import { createId, createIds, idsFrom } from '../../../../shared/domain/identifier.ts';
import { minuteOf, settlesAt } from '../../../../shared/domain/sending/settlement.ts';
import type { Email } from '../../../../shared/store/emails/email.ts';
import { emailTo } from '../emails/emailTo.ts';
import { startTestTable } from '../testTable.ts';

const at = new Date('2026-06-15T12:00:30.000Z');

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [emails, reservations, sends, usage, sweep, feedback, batch, reservation, holdings, documents] =
    await Promise.all([
      import('../../../../shared/store/emails/email.ts'),
      import('../../../../shared/store/quota/reservations.ts'),
      import('../../../../shared/store/quota/attempts.ts'),
      import('../../../../shared/store/quota/months.ts'),
      import('../../../../shared/services/sweep/settleSends.ts'),
      import('../../../../shared/services/feedback/recordFeedback.ts'),
      import('../../../../shared/services/feedback/batch.ts'),
      import('../../../../shared/store/quota/settlement.ts'),
      import('../../../../shared/store/personalData/personalItem.ts'),
      import('../../../../shared/store/table/table.ts'),
    ]);
  return {
    ...emails,
    ...reservations,
    ...sends,
    ...usage,
    ...sweep,
    ...feedback,
    ...batch,
    ...reservation,
    ...holdings,
    ...documents,
  };
}

beforeAll(async () => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

const count = 5;

/** A batch of five emails to two people each, and the sheet that a call lists them by. */
function openBatch() {
  const workspaceId = createId('ws', new Date());
  const emails = idsFrom(createIds('email', at, count), count).map((id, index) =>
    emailTo(workspaceId, [`a${index}@example.net`, `b${index}@example.net`], at, id),
  );
  const sheetOf = (id: string, some: readonly Email[] = emails) => ({
    id,
    attempts: some.map((email) => ({ email, quota: { recipients: 2, counted: 2 } })),
  });
  const reserve = (id: string, some?: readonly Email[], limit = 3000) =>
    modules.reserveBatch(workspaceId, [sheetOf(id, some)], limit, at);
  const report = (email: Email, sheet: string) =>
    modules.recordFeedback(
      {
        origin: { kind: 'email', id: email.id, workspaceId, envelope: 0, minute: minuteOf(at), list: sheet },
        message: { id: `m-${email.id}`, sentAt: at, subject: null, tags: [] },
        events: [{ type: 'accepted', recipients: [], at: new Date(0) }],
      },
      modules.openBatch(at),
    );
  const used = async () => (await modules.getMonth(workspaceId, '2026-06')).used;
  const settle = () => modules.sweepOpenSends(settlesAt(minuteOf(at)));
  const listed = async () => {
    const shards = [0, 1, 2, 3].map((shard) => `WS#${workspaceId}#SENDS#${minuteOf(at)}#${shard}`);
    const found = shards.map((partition) => modules.queryAll({ partition }));
    return (await Promise.all(found)).flat();
  };
  return { workspaceId, emails, reserve, report, used, settle, listed };
}

describe('the attempts of a batch', () => {
  it('are taken together or not at all', async () => {
    const { reserve, used, emails } = openBatch();
    expect(await reserve('s1', emails, 9)).toMatchObject({ ok: false });
    expect(await used()).toBe(0);
    expect(await reserve('s1', emails, 10)).toMatchObject({ ok: true, used: 10 });
  });

  it('become emails by their Send events alone, and the rest is given back', async () => {
    const { emails, reserve, report, used, settle, workspaceId } = openBatch();
    await reserve('s1');
    await Promise.all(emails.slice(0, 3).map((email) => report(email, 's1')));
    expect(await modules.getEmail(workspaceId, emails[1]?.id ?? '')).toMatchObject({ email: emails[1] });
    expect(await used()).toBe(10);
    await settle();
    expect(await used()).toBe(6);
  });

  it('count once when what was left of them was listed again in the same minute', async () => {
    const { emails, reserve, report, used, settle } = openBatch();
    await reserve('s1');
    await report(emails[0] as Email, 's1');
    await reserve('s2', emails.slice(1));
    expect(await used()).toBe(18);
    await Promise.all(emails.slice(1, 4).map((email) => report(email, 's2')));
    await settle();
    expect(await used()).toBe(8);
  });

  it('are found and taken away for one person, who learns nothing of the others', async () => {
    const { addressReplacer } = await import('../../../../shared/domain/person/erased.ts');
    const { workspaceId, emails, reserve, listed } = openBatch();
    await reserve('s1', [
      ...emails.slice(0, 2),
      { ...(emails[2] as Email), to: ['c@example.net'], envelopes: [['c@example.net']] },
    ]);
    const [item = {}] = await listed();
    const replacer = addressReplacer('c@example.net', 'erased@erased.invalid');
    const { attemptRecordsOf } = await import('../../../../shared/services/rights/exportPerson.ts');
    expect(await attemptRecordsOf(workspaceId, item, replacer)).toEqual([
      expect.objectContaining({ object: 'email_attempt', id: emails[2]?.id, written_as: ['c@example.net'] }),
    ]);
    const personal = await modules.personalItemOf(item, replacer);
    expect(personal?.kind).toBe('attempt');
    const erased = JSON.stringify(personal?.erased);
    expect(erased).not.toContain('c@example.net');
    expect(erased).toContain('a0@example.net');
  });
});

describe('the ids of a batch', () => {
  it('follow the first one, and are nobody else’s', () => {
    const now = new Date();
    const before = createId('email', now);
    const first = createIds('email', now, 100);
    const after = createId('email', now);
    const ids = idsFrom(first, 100);
    expect(ids[0]).toBe(first);
    expect(new Set([before, ...ids, after]).size).toBe(102);
    expect([before, ...ids, after]).toEqual([before, ...ids, after].toSorted());
  });
});
