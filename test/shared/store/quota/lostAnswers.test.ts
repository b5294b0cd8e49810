import { createId } from '../../../../shared/domain/identifier.ts';
import { minuteOf, settlesAt } from '../../../../shared/domain/sending/settlement.ts';
import type { Email } from '../../../../shared/store/emails/email.ts';
import { startInterferingTable } from '../table/interferingTable.ts';
import { useTable } from '../testTable.ts';

const at = new Date('2026-06-15T12:00:30.000Z');
const one = { recipients: 1, counted: 1 };

let table: Awaited<ReturnType<typeof startInterferingTable>>;
let reservations: typeof import('../../../../shared/store/quota/reservations.ts');
let usage: typeof import('../../../../shared/store/quota/months.ts');
let settlement: typeof import('../../../../shared/store/quota/settlement.ts');
let days: typeof import('../../../../shared/store/usage.ts');
let campaignDays: typeof import('../../../../shared/store/campaignDays.ts');
let tallies: typeof import('../../../../shared/store/campaign/tallies.ts');
let uploads: typeof import('../../../../shared/store/files/uploads.ts');
beforeAll(async () => {
  table = await startInterferingTable();
  useTable(table.endpoint);
  reservations = await import('../../../../shared/store/quota/reservations.ts');
  usage = await import('../../../../shared/store/quota/months.ts');
  settlement = await import('../../../../shared/store/quota/settlement.ts');
  days = await import('../../../../shared/store/usage.ts');
  campaignDays = await import('../../../../shared/store/campaignDays.ts');
  tallies = await import('../../../../shared/store/campaign/tallies.ts');
  uploads = await import('../../../../shared/store/files/uploads.ts');
});
afterAll(() => table.stop());
afterEach(() => expect(table.interferences).toEqual([]));

const usedOf = async (workspaceId: string) => (await usage.getMonth(workspaceId, '2026-06')).used;

function newEmail(workspaceId: string): Email {
  const id = createId('email', at);
  const to = [`${id}@example.net`];
  return {
    ...{ workspaceId, id, from: 'a@example.com', to, cc: [], bcc: [], replyTo: [], subject: 's', tags: [] },
    ...{ envelopes: [to], createdAt: at.toISOString(), expiresAt: 9_999_999_999, isQuotaExempt: false },
  };
}

describe('what is given back', () => {
  it('is given back once, though the answer was lost and the SDK asked again', async () => {
    const workspaceId = createId('ws', new Date());
    const [refused, kept] = [newEmail(workspaceId), newEmail(workspaceId)];
    for (const email of [refused, kept]) await reservations.reserve(email, one, 100, at, 'only');
    // The entry of the attempt first, then the sums.
    table.interferences.push('nothing', 'answer lost');
    await reservations.giveBack(refused, minuteOf(at), one);
    expect(await usage.getMonth(workspaceId, '2026-06')).toMatchObject({
      used: 1,
      minutes: [{ recipients: 1, counted: 1 }],
    });
  });
});

describe('what a reservation takes', () => {
  it('is taken once, and its last place is not refused to itself', async () => {
    const email = newEmail(createId('ws', new Date()));
    table.interferences.push('answer lost');
    expect(await reservations.reserve(email, one, 1, at, 'first')).toMatchObject({ ok: true, used: 1 });
    expect(await usedOf(email.workspaceId)).toBe(1);
    expect(await reservations.reserve(newEmail(email.workspaceId), one, 1, at, 'first')).toEqual({
      ok: false,
      used: 1,
    });
  });

  it('is taken once for a batch that fills more than half of what is left', async () => {
    const workspaceId = createId('ws', new Date());
    const attempts = Array.from({ length: 60 }, () => ({ email: newEmail(workspaceId), quota: one }));
    table.interferences.push('answer lost');
    const reserved = await reservations.reserveBatch(workspaceId, [{ id: 'sheet', attempts }], 100, at);
    expect(reserved).toMatchObject({ ok: true, used: 60 });
  });

  it('is not reported as refused when the result is unknown because others took quota since; they keep theirs', async () => {
    const [email, other] = [createId('ws', new Date())].flatMap((id) => [newEmail(id), newEmail(id)]);
    if (!email || !other) throw new Error('There are two.');
    const otherTakes = () => reservations.reserve(other, one, 2, at, 'only');
    // What it meets before it is refused says nothing of the try before.
    table.interferences.push({ lost: { after: otherTakes } }, { error: 'TransactionConflictException' });
    await expect(reservations.reserve(email, one, 2, at, 'first')).rejects.toThrow('A write may have been made.');
    expect(await usedOf(email.workspaceId)).toBe(2);
  });
});

describe('a minute that was settled after an answer was lost', () => {
  const nothing = { recipients: 0, counted: 0, delivered: 0 };
  /** What the lost try did is told from nothing any more: another has done the same since, and the minute is gone. */
  const settledAfter = (workspaceId: string, another: () => Promise<unknown>) => ({
    lost: {
      after: async () => {
        await another();
        const month = await usage.getMonth(workspaceId, '2026-06');
        await settlement.settleMinute(month, nothing, settlesAt(minuteOf(at)));
      },
    },
  });

  it('takes nothing more: a reservation is made in the next one', async () => {
    const workspaceId = createId('ws', new Date());
    const another = () => reservations.reserve(newEmail(workspaceId), one, 2, at, 'first');
    table.interferences.push(settledAfter(workspaceId, another));
    const reserved = await reservations.reserve(newEmail(workspaceId), one, 2, at, 'first');
    expect(reserved).toEqual({ ok: true, minute: minuteOf(at) + 1, used: 1 });
  });

  it('has given back all that was to be given back', async () => {
    const workspaceId = createId('ws', new Date());
    const [refused, alsoRefused] = [newEmail(workspaceId), newEmail(workspaceId)];
    for (const email of [refused, alsoRefused]) await reservations.reserve(email, one, 100, at, 'only');
    const another = () => reservations.giveBack(alsoRefused, minuteOf(at), one);
    table.interferences.push('nothing', settledAfter(workspaceId, another));
    await reservations.giveBack(refused, minuteOf(at), one);
    expect(await usedOf(workspaceId)).toBe(0);
  });
});

describe('what is counted', () => {
  it('as sent of a campaign, and as opened, is counted once', async () => {
    const workspaceId = createId('ws', new Date());
    table.interferences.push('answer lost');
    const day = { workspaceId, campaignId: 'camp_1', date: '2026-06-15' };
    const count = () => campaignDays.addToCampaignDay(day, [['sent#0', 500]]);
    await count();
    table.interferences.push('answer lost');
    await days.countOpened(workspaceId, '2026-06-15', 30);
    expect(await days.listDays(workspaceId, '2026-06-01')).toMatchObject([{ sent: 500, opened: 30 }]);
    await count();
    await days.countOpened(workspaceId, '2026-06-15', 30);
    expect(await days.listDays(workspaceId, '2026-06-01')).toMatchObject([{ sent: 1000, opened: 60 }]);
  });

  it('in the tally of a campaign is counted once', async () => {
    const [workspaceId, campaignId] = [createId('ws', new Date()), createId('camp', at)];
    const count = () => tallies.addToTally({ workspaceId, campaignId, shard: 3 }, { sent: 50, opened: 2 });
    table.interferences.push('answer lost');
    await count();
    expect((await tallies.readTallies(workspaceId, campaignId)).total).toEqual({ sent: 50, opened: 2 });
    await count();
    expect((await tallies.readTallies(workspaceId, campaignId)).total).toEqual({ sent: 100, opened: 4 });
  });

  it('as announced on a day is counted once, and the first file is not refused to itself', async () => {
    const workspaceId = createId('ws', new Date());
    const take = (bytes: number) => uploads.takeUploadAllowance(workspaceId, bytes, { files: 10, bytes: 100 }, at);
    table.interferences.push('answer lost');
    expect(await take(60)).toBe(true);
    expect(await take(41)).toBe(false);
    expect(await take(40)).toBe(true);
  });
});
