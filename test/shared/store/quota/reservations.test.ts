import { createId } from '../../../../shared/domain/identifier.ts';
import { minuteOf, settlesAt } from '../../../../shared/domain/sending/settlement.ts';
import { inParallel } from '../../../../shared/platform/parallel.ts';
import { aroundUnits } from '../aroundCalls.ts';
import { emailTo as emailOf } from '../emails/emailTo.ts';
import { startTestTable } from '../testTable.ts';

const at = new Date('2026-06-15T12:00:30.000Z');

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [emails, reservations, sends, settlement, usage, documents] = await Promise.all([
    import('../../../../shared/store/emails/email.ts'),
    import('../../../../shared/store/quota/reservations.ts'),
    import('../../../../shared/store/quota/attempts.ts'),
    import('../../../../shared/store/quota/settlement.ts'),
    import('../../../../shared/store/quota/months.ts'),
    import('../../../../shared/store/table/table.ts'),
  ]);
  return { ...emails, ...reservations, ...sends, ...settlement, ...usage, ...documents };
}

beforeAll(async () => {
  process.env.EMAIL_LIST = 'none';
  table = await startTestTable();
  modules = await load();
  aroundUnits(modules.documents, (_command, units) => {
    writeUnits += units;
  });
});
afterAll(() => table.stop());

/** Write units of single writes, indexes included, as DynamoDB counts them. */
let writeUnits = 0;

const emailTo = (workspaceId: string, to: readonly string[]) => emailOf(workspaceId, to, at);

const one = { recipients: 1, counted: 1 };

describe('the quota of a month', () => {
  it('has exactly as many winners as places: 87 of 200 calls at once', async () => {
    const workspaceId = createId('ws', at);
    const calls = Array.from({ length: 200 }, (_, index) =>
      modules.reserve(emailTo(workspaceId, [`r${index}@example.net`]), one, 87, at, 'only'),
    );
    const results = await Promise.all(calls);
    expect(results.filter(({ ok }) => ok)).toHaveLength(87);
    expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, used: 87 });
    expect((await modules.getMonth(workspaceId, '2026-06')).used).toBe(87);
  });

  it('is never taken beyond itself by the first call of the month either', async () => {
    const workspaceId = createId('ws', at);
    const many = { recipients: 50, counted: 50 };
    expect(await modules.reserve(emailTo(workspaceId, ['a@example.net']), many, 49, at, 'only')).toMatchObject({
      ok: false,
    });
    expect(await modules.reserve(emailTo(workspaceId, ['a@example.net']), many, 50, at, 'only')).toMatchObject({
      ok: true,
    });
  });

  it('costs the same write units a send at 1, 10, 50, 200 and 1,000 in flight', async () => {
    const workspaceId = createId('ws', at);
    let inFlight = 0;
    const units: number[] = [];
    for (const wanted of [1, 10, 50, 200, 1000]) {
      const open = Array.from({ length: wanted - 1 - inFlight }, () => emailTo(workspaceId, ['open@example.net']));
      await inParallel(40, open, (email) => modules.reserve(email, one, 5000, at, 'only'));
      inFlight = wanted - 1;
      writeUnits = 0;
      const email = emailTo(workspaceId, ['measured@example.net']);
      const reserved = await modules.reserve(email, one, 5000, at, 'only');
      await modules.acceptEnvelope(email, 0, 'm', reserved.ok ? reserved.minute : 0);
      units.push(writeUnits);
    }
    // The first of a minute enters the month in the index `due`.
    expect(units).toEqual([4, 3, 3, 3, 3]);
  });

  it('still costs one unit at the end of a month of five million', async () => {
    const workspaceId = createId('ws', at);
    const end = new Date('2026-06-30T23:59:30.000Z');
    const minute = Math.floor(end.getTime() / 60_000);
    const days = Array.from({ length: 30 }, (_, day) => String(day + 1).padStart(2, '0'));
    const counters = Object.fromEntries([
      ...days.flatMap((day) => [`d${day}`, `v${day}`].map((name) => [name, 166_613])),
      ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap((ago) =>
        [`t${minute - ago}`, `c${minute - ago}`].map((name) => [name, 29_999]),
      ),
      ['used', 4_999_999],
      ['settled_through', minute - 9],
    ]);
    const { PutCommand } = await import('@aws-sdk/lib-dynamodb');
    const { monthKey } = await import('../../../../shared/store/table/keys.ts');
    const Item = { ...monthKey(workspaceId, '2026-06'), ...counters };
    await modules.documents.send(new PutCommand({ TableName: 'test', Item }));
    const email = emailTo(workspaceId, ['a@example.net']);
    await modules.reserve(email, one, 5_000_000, new Date(end.getTime() - 60_000), 'only');
    writeUnits = 0;
    expect(await modules.reserve(email, one, 5_000_001, end, 'only')).toMatchObject({ ok: true });
    expect(writeUnits).toBe(2);
  });

  it('takes into the next minute what comes too late for one that is settled', async () => {
    const workspaceId = createId('ws', at);
    const { UpdateCommand } = await import('@aws-sdk/lib-dynamodb');
    const { monthKey } = await import('../../../../shared/store/table/keys.ts');
    const settled = Math.floor(at.getTime() / 60_000) + 2;
    await modules.documents.send(
      new UpdateCommand({
        TableName: 'test',
        Key: monthKey(workspaceId, '2026-06'),
        UpdateExpression: 'SET settled_through = :settled',
        ExpressionAttributeValues: { ':settled': settled },
      }),
    );
    const reserved = await modules.reserve(emailTo(workspaceId, ['a@example.net']), one, 10, at, 'only');
    expect(reserved).toMatchObject({ ok: true, minute: settled + 1 });
  });
});

describe('what lists an attempt', () => {
  it('is closed by one of those who would take it over or give it back', async () => {
    const email = emailTo(createId('ws', at), ['a@example.net']);
    await modules.reserve(email, one, 10, at, 'first');
    const close = (next: number | null) => modules.closeSend(email.workspaceId, minuteOf(at), email.id, next);
    expect([await close(minuteOf(at) + 1), await close(minuteOf(at) + 2), await close(null)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await modules.latestAttempt(email.workspaceId, minuteOf(at), email.id)).toBeNull();
    await modules.putSend(email, one, minuteOf(at) + 1);
    expect(await modules.latestAttempt(email.workspaceId, minuteOf(at), email.id)).toBe(minuteOf(at) + 1);
  });

  it('is there for as long as a queue and its dead letters may keep a word on it: 7 and 14 days', async () => {
    const email = emailTo(createId('ws', at), ['a@example.net']);
    await modules.reserve(email, one, 10, at, 'first');
    const { sendsPartition, sendShards } = await import('../../../../shared/store/table/keys.ts');
    const keys = Array.from({ length: sendShards }, (_, shard) => ({
      pk: sendsPartition(email.workspaceId, minuteOf(at), shard),
      sk: email.id,
    }));
    const [item] = (await Promise.all(keys.map((key) => modules.getItem(key)))).filter((found) => found !== null);
    expect(Number(item?.expires_at) * 1000).toBeGreaterThan(at.getTime() + (7 + 14) * 86_400_000);
  });
});

describe('a later attempt at an email', () => {
  it('takes over what was reserved on the same day, and nothing of the day before, which counts its own', async () => {
    const workspaceId = createId('ws', at);
    const night = new Date('2026-06-15T23:58:30.000Z');
    const later = (minutes: number) => new Date(night.getTime() + minutes * 60_000);
    const email = emailOf(workspaceId, ['a@example.net'], night);
    await modules.reserve(email, one, 10, night, 'first');
    await modules.reserve(email, one, 10, later(1), 'later');
    expect((await modules.getMonth(workspaceId, '2026-06')).used).toBe(1);
    await modules.reserve(email, one, 10, later(2), 'later');
    const month = await modules.getMonth(workspaceId, '2026-06');
    expect(month.used).toBe(2);
    const sent = month.days.filter((day) => day.sent > 0).map(({ date, sent: count }) => [date, count]);
    expect(sent.sort()).toEqual([
      ['2026-06-15', 1],
      ['2026-06-16', 1],
    ]);
  });
});

describe('the settlement of a minute', () => {
  it('is refused to a process that has not read a bucket opened since, so that this one is not lost', async () => {
    const workspaceId = createId('ws', at);
    const next = new Date(at.getTime() + 60_000);
    await modules.reserve(emailTo(workspaceId, ['a@example.net']), one, 10, at, 'only');
    const seen = await modules.getMonth(workspaceId, '2026-06');
    await modules.reserve(emailTo(workspaceId, ['b@example.net']), one, 10, next, 'only');
    const nothing = { recipients: 0, counted: 0, delivered: 0 };
    expect(await modules.settleMinute(seen, nothing, at)).toBe(false);
    expect(await modules.settleMinute(await modules.getMonth(workspaceId, '2026-06'), nothing, at)).toBe(true);
    const isDue = ({ workspaceId: id }: { workspaceId: string }) => id === workspaceId;
    const due = await modules.listDueMonths(settlesAt(minuteOf(next)), 100);
    expect(due.filter(isDue)).toEqual([{ workspaceId, month: '2026-06' }]);
    expect((await modules.getMonth(workspaceId, '2026-06')).used).toBe(1);
  });

  it('is refused to a process that has not read all reservations', async () => {
    const workspaceId = createId('ws', at);
    await modules.reserve(emailTo(workspaceId, ['a@example.net']), one, 10, at, 'only');
    const seen = await modules.getMonth(workspaceId, '2026-06');
    await modules.reserve(emailTo(workspaceId, ['b@example.net']), one, 10, at, 'only');
    expect(await modules.settleMinute(seen, { recipients: 1, counted: 1, delivered: 0 }, at)).toBe(false);
    expect((await modules.getMonth(workspaceId, '2026-06')).used).toBe(2);
  });

  it('is refused to a process that has not read a confirmation, which counts in the day and not in the quota', async () => {
    const workspaceId = createId('ws', at);
    await modules.reserve(emailTo(workspaceId, ['a@example.net']), one, 10, at, 'only');
    const seen = await modules.getMonth(workspaceId, '2026-06');
    const exempt = { recipients: 0, counted: 1 };
    await modules.reserve(emailTo(workspaceId, ['b@example.net']), exempt, 10, at, 'only');
    expect(await modules.settleMinute(seen, { recipients: 1, counted: 1, delivered: 0 }, at)).toBe(false);
  });

  it('puts off no later one for a minute that a clock ahead of the others has opened', async () => {
    const workspaceId = createId('ws', at);
    await modules.reserve(emailTo(workspaceId, ['a@example.net']), one, 10, at, 'only');
    await modules.reserve(
      emailTo(workspaceId, ['b@example.net']),
      one,
      10,
      new Date(at.getTime() + 86_400_000),
      'only',
    );
    const now = settlesAt(minuteOf(at));
    const nothing = { recipients: 0, counted: 0, delivered: 0 };
    expect(await modules.settleMinute(await modules.getMonth(workspaceId, '2026-06'), nothing, now)).toBe(true);
    const due = await modules.listDueMonths(settlesAt(minuteOf(now) + 1), 100);
    expect(due.map((month) => month.workspaceId)).toContain(workspaceId);
  });
});
