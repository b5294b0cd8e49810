import { fillTable, itemsOf, readRecords, unreadableBefore } from '../records.ts';
import { startTestTable } from '../testTable.ts';

/** Written by the release that kept reservations in the item of the month, some of it while its sends were in flight. */
const records = readRecords('sending.json');
const workspaceId = 'ws_01m7xx6qyft23rbk625h7dc39r';
const id = (number: number) => `email_01ka000000000000000000000${number}`;
/** A quarter of an hour after they were written, in the next day and before the month ends. */
const later = new Date('2026-11-21T00:20:00.000Z');

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [emails, outcomes, reservations, days, usage, former, sweep, record, batch, get, keys, documents] =
    await Promise.all([
      import('../../../../shared/store/sending/emails.ts'),
      import('../../../../shared/store/sending/outcomes.ts'),
      import('../../../../shared/store/sending/reservations.ts'),
      import('../../../../shared/store/sending/days.ts'),
      import('../../../../shared/store/sending/usage.ts'),
      import('../../../../shared/services/sweep/formerReservations.ts'),
      import('../../../../shared/services/sweep/openSends.ts'),
      import('../../../../shared/services/feedback/record.ts'),
      import('../../../../shared/services/feedback/batch.ts'),
      import('../../../../shared/services/emails/get.ts'),
      import('../../../../shared/store/table/keys.ts'),
      import('../../../../shared/store/table/table.ts'),
    ]);
  return {
    ...emails,
    ...outcomes,
    ...reservations,
    ...days,
    ...usage,
    ...former,
    ...sweep,
    ...record,
    ...batch,
    ...keys,
    ...documents,
    showEmail: get.getEmail,
  };
}

beforeAll(async () => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

beforeEach(() => {
  const { pk, sk } = modules.registerKey(workspaceId);
  const workspace = { pk: { S: pk }, sk: { S: sk }, workspace_id: { S: workspaceId }, name: { S: 'Test' } };
  return fillTable([...records, workspace]);
});

const used = async () => (await modules.getMonth(workspaceId, '2026-11')).used;

/** A Send event of a message that left before the upgrade: its tags say nothing of a minute. */
const sendEvent = (emailId: string, envelope: number) =>
  modules.recordFeedback(
    {
      origin: { kind: 'email', id: emailId, workspaceId, envelope, minute: null },
      message: { id: `late-${envelope}`, sentAt: later, subject: null, tags: [] },
      happenings: [{ type: 'accepted' }],
    },
    modules.openBatch(later),
  );

describe('what the release before has written', () => {
  it('is read: emails with what became of them', async () => {
    const context = { workspaceId } as Parameters<typeof modules.showEmail>[0];
    expect(await modules.showEmail(context, { id: id(1) })).toMatchObject({
      from: 'Acme <hello@example.com>',
      reply_to: ['help@example.com'],
      tags: [{ name: 'category', value: 'receipt' }],
      status: 'delivered',
      recipients: [{ email: 'ada@example.net', status: 'delivered' }],
    });
    expect(await modules.showEmail(context, { id: id(2) })).toMatchObject({ status: 'bounced' });
    expect((await modules.getEmail(workspaceId, id(3)))?.messageIds).toEqual(['ses-1', undefined]);
    expect((await modules.getEmail(workspaceId, id(7)))?.email.isQuotaExempt).toBe(true);
  });

  it('counts: the quota, and what was sent and became of it by day', async () => {
    // 1, 1, 52 and 1 recipients of emails, 3 of a call that died before its record; what was given back is not in it.
    expect(await used()).toBe(58);
    expect(await modules.listDays(workspaceId, '2026-11-01')).toEqual([
      { date: '2026-11-20', sent: 59, delivered: 1, bounced: 1, complained: 0, opened: 0 },
    ]);
  });

  it('is settled: open reservations keep what was accepted and give back the rest', async () => {
    await modules.sweepFormerReservations(later);
    expect((await modules.getMonth(workspaceId, '2026-11')).former).toEqual([]);
    // One delivered, one bounced, 50 accepted of 52; the confirmation that nobody took is no longer among the sent.
    expect(await used()).toBe(52);
    expect((await modules.listDays(workspaceId, '2026-11-01'))[0]?.sent).toBe(52);
    await modules.sweepFormerReservations(later);
    expect(await used()).toBe(52);
  });

  it('is settled around a Send event that comes before, or after', async () => {
    await sendEvent(id(4), 0);
    await sendEvent(id(5), 0);
    await modules.sweepFormerReservations(later);
    await sendEvent(id(3), 1);
    await sendEvent(id(3), 1);
    await modules.sweepOpenSends(new Date(later.getTime() + 600_000));
    expect(await used()).toBe(52 + 1 + 2 + 2);
    expect((await modules.getEmail(workspaceId, id(3)))?.messageIds).toEqual(['ses-1', 'late-1']);
    expect((await modules.getEmail(workspaceId, id(5)))?.messageIds).toEqual(['late-0']);
  });

  it('is left alone where it belongs to no email, and while its call may be at work', async () => {
    const { UpdateCommand } = await import('../../../../shared/store/dynamodb/commands.ts');
    const reservation = { recipients: 50_000, counted: 50_000, day: '20', at: '2026-11-20T23:58:30.000Z' };
    await modules.documents.send(
      new UpdateCommand({
        TableName: 'test',
        Key: modules.monthKey(workspaceId, '2026-11'),
        UpdateExpression: 'SET #campaign = :reservation ADD used :recipients',
        ExpressionAttributeNames: { '#campaign': 'p#camp_01ka0000000000000000000008' },
        ExpressionAttributeValues: { ':reservation': reservation, ':recipients': reservation.recipients },
      }),
    );
    await modules.sweepFormerReservations(new Date('2026-11-21T00:00:00.000Z'));
    expect(await used()).toBe(50_058);
    await modules.sweepFormerReservations(later);
    expect(await used()).toBe(50_052);
  });
});

describe('what this release writes', () => {
  it('has all that the release before reads of an email', async () => {
    const email = (await modules.getEmail(workspaceId, id(1)))?.email;
    if (!email) throw new Error('The fixture has no such email.');
    await modules.acceptEnvelope({ ...email, id: id(9) }, 0, 'ses-1', 29_394_059);
    const [written] = await itemsOf(modules.emailPartition(workspaceId, id(9)));
    const former = records.filter(({ sk, message_id_0 }) => sk?.S === 'EMAIL' && message_id_0);
    expect(unreadableBefore(former, written ?? {})).toEqual([]);
  });

  it('has all that the release before reads of a month and of an outcome', async () => {
    const email = (await modules.getEmail(workspaceId, id(1)))?.email;
    if (!email) throw new Error('The fixture has no such email.');
    await modules.reserve({ ...email, id: id(9) }, { recipients: 1, counted: 1 }, 3000, later, 'only');
    await modules.recordOutcome({
      ...{ workspaceId, emailId: id(9), address: 'ada@example.net', status: 'delivered', at: later },
      ...{ expiresAt: 1_826_755_110, count: { minute: 29_394_059, isLate: false } },
    });
    const former = (sk: string) => records.filter((item) => item.sk?.S?.startsWith(sk));
    const [outcome] = (await itemsOf(modules.emailPartition(workspaceId, id(9)))).filter(({ rank }) => rank);
    expect(unreadableBefore(former('RECIPIENT#ada'), outcome ?? {})).toEqual([]);
    const months = await itemsOf(modules.usagePartition(workspaceId));
    const month = months.find(({ sk }) => sk?.S === 'MONTH#2026-11');
    expect(unreadableBefore(former('MONTH#'), month ?? {})).toEqual([]);
  });
});
