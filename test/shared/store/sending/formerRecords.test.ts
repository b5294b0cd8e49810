import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { startTestTable } from '../testTable.ts';

/** Written by the release before the ledger of minutes, some of it while its sends were in flight. */
const fixture = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'records', 'sending.json');
const records = JSON.parse(readFileSync(fixture, 'utf8')) as (Record<string, unknown> & { pk: string; sk: string })[];
const workspaceId = 'ws_01m7xx6qyft23rbk625h7dc39r';
const id = (number: number) => `email_01ka000000000000000000000${number}`;
/** A quarter of an hour after they were written, in the next day and before the month ends. */
const later = new Date('2026-11-21T00:20:00.000Z');

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [emails, days, usage, former, sweep, record, batch, get, register, documents] = await Promise.all([
    import('../../../../shared/store/sending/emails.ts'),
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
    ...days,
    ...usage,
    ...former,
    ...sweep,
    ...record,
    ...batch,
    ...register,
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

beforeEach(async () => {
  const workspace = { ...modules.registerKey(workspaceId), workspace_id: workspaceId, name: 'Test' };
  const items = [...records, workspace];
  await modules.documents.send(
    new BatchWriteCommand({ RequestItems: { test: items.map((Item) => ({ PutRequest: { Item } })) } }),
  );
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
    expect((await modules.getEmail(workspaceId, id(3)))?.messageIds).toEqual(['ses-3', undefined]);
    expect((await modules.getEmail(workspaceId, id(7)))?.email.isQuotaExempt).toBe(true);
  });

  it('counts: the quota, and what was sent and became of it by day', async () => {
    // 1, 1, 52 and 1 recipients of emails, 3 of a call that died before its record; what was given back is not in it.
    expect(await used()).toBe(58);
    expect(await modules.listDays(workspaceId, '2026-11-01')).toEqual([
      { date: '2026-11-20', sent: 59, delivered: 1, bounced: 1, complained: 0 },
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
    expect((await modules.getEmail(workspaceId, id(3)))?.messageIds).toEqual(['ses-3', 'late-1']);
    expect((await modules.getEmail(workspaceId, id(5)))?.messageIds).toEqual(['late-0']);
  });

  it('is left alone where it belongs to no email, and while its call may be at work', async () => {
    const { UpdateCommand } = await import('@aws-sdk/lib-dynamodb');
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
    const [former] = records;
    const email = (await modules.getEmail(workspaceId, id(1)))?.email;
    if (!email) throw new Error('The fixture has no such email.');
    await modules.acceptEnvelope({ ...email, id: id(9) }, 0, 'ses-1', 29_394_059);
    const [written] = await modules.batchGet([modules.emailKey(workspaceId, id(9))], { consistent: true });
    expect(written).toMatchObject({ ...former, pk: expect.any(String), email_id: id(9) });
  });
});
