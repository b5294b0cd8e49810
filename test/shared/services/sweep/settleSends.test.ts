import fc from 'fast-check';
import { createId } from '../../../../shared/domain/identifier.ts';
import type { Feedback } from '../../../../shared/email/feedbackEvent.ts';
import type { Email } from '../../../../shared/store/emails/email.ts';
import { aroundCalls } from '../../store/aroundCalls.ts';
import { startTestTable } from '../../store/testTable.ts';
import { collectActivity } from '../activityLines.ts';

const recipients = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.net`);
const envelopes = [recipients.slice(0, 2), recipients.slice(2, 4), recipients.slice(4)];
const quota = 3000;
/** Two minutes before a month ends, so that the tests cross it. */
const start = new Date('2026-06-30T23:58:20.000Z');
const months = ['2026-06', '2026-07'];

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [
    minute,
    emails,
    days,
    usage,
    sweep,
    feedback,
    batch,
    attempts,
    settlement,
    reservations,
    table,
    scheduled,
    log,
  ] = await Promise.all([
    import('../../../../shared/domain/sending/settlement.ts'),
    import('../../../../shared/store/emails/email.ts'),
    import('../../../../shared/store/usage.ts'),
    import('../../../../shared/store/quota/months.ts'),
    import('../../../../shared/services/sweep/settleSends.ts'),
    import('../../../../shared/services/feedback/recordFeedback.ts'),
    import('../../../../shared/services/feedback/batch.ts'),
    import('../../../../shared/store/quota/attempts.ts'),
    import('../../../../shared/store/quota/settlement.ts'),
    import('../../../../shared/store/quota/reservations.ts'),
    import('../../../../shared/store/table/table.ts'),
    import('../../../../shared/store/emails/scheduledEmails.ts'),
    import('../../../../shared/platform/logger.ts'),
  ]);
  return {
    ...log,
    ...minute,
    ...emails,
    ...days,
    ...usage,
    ...sweep,
    ...feedback,
    ...batch,
    ...attempts,
    ...settlement,
    ...reservations,
    ...table,
    ...scheduled,
  };
}

beforeAll(async () => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

/** A workspace with a clock of its own, and what can happen in it. */
function openWorkspace() {
  const workspaceId = createId('ws', new Date());
  let now = start;
  const used = async () => {
    const usages = await Promise.all(months.map((month) => modules.getMonth(workspaceId, month)));
    return usages.reduce((sum, usage) => sum + usage.used, 0);
  };
  return {
    workspaceId,
    used,
    now: () => now,
    wait: (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1000);
    },
    sweep: () => modules.sweepOpenSends(now),
    /** True when a sweep in so many seconds will look at it. */
    isDueIn: async (seconds: number) => {
      const due = await modules.listDueMonths(new Date(now.getTime() + seconds * 1000), 1000);
      return due.some((month) => month.workspaceId === workspaceId);
    },
    minutes: async () =>
      (await Promise.all(months.map((month) => modules.getMonth(workspaceId, month)))).flatMap(
        ({ minutes }) => minutes,
      ),
    counts: async () => {
      const days = await modules.listDays(workspaceId, '2026-06-01');
      const sum = (of: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + of(day), 0);
      return { sent: sum((day) => day.sent), delivered: sum((day) => day.delivered) };
    },
  };
}

/** An email with five recipients and what can happen to it: attempts that crash anywhere, events at any time. */
function openEmail({ workspaceId, now }: ReturnType<typeof openWorkspace>) {
  const email: Email = {
    workspaceId,
    id: createId('email', now()),
    from: 'a@example.com',
    to: recipients,
    cc: [],
    bcc: [],
    replyTo: [],
    subject: 's',
    tags: [],
    envelopes,
    createdAt: now().toISOString(),
    expiresAt: Math.floor(now().getTime() / 1000) + 3600,
    isQuotaExempt: false,
  };
  /** By envelope, the minute in the tags of the message that the provider accepted. */
  const taken = new Map<number, number>();
  const delivered = new Set<string>();
  const attempts: number[] = [];
  const take = (envelope: number): boolean => {
    const minute = taken.get(envelope) ?? attempts.at(-1);
    if (minute === undefined) return false;
    taken.set(envelope, minute);
    return true;
  };
  const accepted = async () => (await modules.getEmail(workspaceId, email.id))?.messageIds ?? [];
  const report = (envelope: number, events: Feedback['events']) =>
    modules.recordFeedback(
      {
        origin: { kind: 'email', id: email.id, workspaceId, envelope, minute: taken.get(envelope) ?? 0 },
        message: { id: `m${envelope}`, sentAt: now(), subject: null, tags: [] },
        events,
      },
      modules.openBatch(now()),
    );
  return {
    email,
    taken,
    delivered,
    accepted,
    /** A call reserves for open envelopes and crashes. False when the quota did not suffice. */
    attempt: async (limit = quota) => {
      const known = await accepted();
      const open = envelopes.filter((_, index) => !known[index]).flat();
      if (open.length === 0) return true;
      const reserved = await modules.reserve(
        email,
        modules.quotaOf(email, open),
        limit,
        now(),
        attempts.length > 0 ? 'later' : 'first',
      );
      if (reserved.ok) attempts.push(reserved.minute);
      return reserved.ok;
    },
    /** The call of the last attempt learns that the provider accepted. */
    yes: async (envelope: number) => {
      if (!take(envelope)) return;
      await modules.recordAcceptance(email, envelope, `m${envelope}`, taken.get(envelope) ?? 0, now());
    },
    /** It learns that the provider refused, and gives back; after a lost answer, twice. */
    no: async (times: number) => {
      const minute = attempts.at(-1);
      if (minute === undefined || taken.size > 0) return;
      for (let time = 0; time < times; time += 1)
        await modules.giveBack(email, minute, modules.quotaOf(email, recipients));
    },
    /** The Send event of an accepted message, which may come at any time and more than once. */
    sendEvent: async (envelope: number) => {
      if (!take(envelope)) return;
      await report(envelope, [{ type: 'accepted', recipients: [], at: new Date(0) }]);
    },
    deliveryEvent: async (envelope: number) => {
      if (!taken.has(envelope)) return;
      const events = (envelopes[envelope] ?? []).map((recipient) => {
        delivered.add(recipient);
        return { type: 'delivered', recipient, at: now(), answer: null } as const;
      });
      await report(envelope, events);
    },
  };
}

const countOf = (indexes: Iterable<number>) =>
  [...indexes].reduce((sum, index) => sum + (envelopes[index]?.length ?? 0), 0);

describe('an email that waits for the rate of the provider', () => {
  const keep = ({ email }: ReturnType<typeof openEmail>, reservedIn: number) =>
    modules.addScheduled(
      {
        ...{ workspaceId: email.workspaceId, id: email.id, state: 'scheduled', expiresAt: 9_999_999_999 },
        ...{ scheduledAt: email.createdAt, createdAt: email.createdAt, updatedAt: email.createdAt },
        ...{ content: email, inDoubt: [], tries: 0, reservedIn },
      },
      { stage: 'queued', at: new Date(email.createdAt) },
    );

  it('keeps the quota that was taken with the answer until it goes out, and takes it once', async () => {
    const workspace = openWorkspace();
    workspace.wait(120);
    const email = openEmail(workspace);
    await email.attempt(5);
    await keep(email, modules.minuteOf(workspace.now()));
    for (let minute = 0; minute < 11; minute += 1) {
      workspace.wait(60);
      await workspace.sweep();
      expect(await workspace.used()).toBe(5);
      expect(await openEmail(workspace).attempt(5)).toBe(false);
    }
    // The worker takes the reservation over.
    expect(await email.attempt(5)).toBe(true);
    for (const envelope of [0, 1, 2]) await email.yes(envelope);
    await modules.deleteScheduled({ workspaceId: workspace.workspaceId, id: email.email.id });
    workspace.wait(900);
    await workspace.sweep();
    expect([await workspace.used(), await workspace.minutes()]).toEqual([5, []]);
  });

  it('gives it back when it is canceled, and does not keep the month from being settled for long', async () => {
    const workspace = openWorkspace();
    workspace.wait(120);
    const [canceled, forgotten] = [openEmail(workspace), openEmail(workspace)];
    for (const email of [canceled, forgotten]) {
      await email.attempt();
      await keep(email, modules.minuteOf(workspace.now()));
    }
    const seen = await modules.getScheduled({ workspaceId: workspace.workspaceId, id: canceled.email.id });
    if (seen) await modules.endScheduled(seen, { reason: 'requested' }, workspace.now(), { stage: 'far', at: start });
    workspace.wait(420);
    await workspace.sweep();
    expect(await workspace.used()).toBe(10);
    workspace.wait(1500);
    await workspace.sweep();
    expect(await workspace.used()).toBe(0);
  });
});

describe('a send without a known outcome', () => {
  it('is given back, and counted again envelope by envelope when its Send events come late', async () => {
    const workspace = openWorkspace();
    const email = openEmail(workspace);
    await email.attempt();
    await email.sendEvent(0);
    expect(await workspace.used()).toBe(5);
    expect(await email.accepted()).toEqual(['m0', undefined, undefined]);
    workspace.wait(420);
    await workspace.sweep();
    expect(await workspace.used()).toBe(2);
    await email.sendEvent(1);
    expect(await workspace.used()).toBe(4);
    await email.sendEvent(1);
    await email.sendEvent(2);
    expect(await workspace.used()).toBe(5);
    workspace.wait(420);
    await workspace.sweep();
    expect(await workspace.used()).toBe(5);
    expect(await email.accepted()).toEqual(['m0', 'm1', 'm2']);
  });

  it('stays counted for reported deliveries, and is not counted again by a late Send event', async () => {
    const workspace = openWorkspace();
    const email = openEmail(workspace);
    await email.attempt();
    email.taken.set(0, modules.minuteOf(workspace.now()));
    await email.deliveryEvent(0);
    workspace.wait(420);
    await workspace.sweep();
    expect(await workspace.used()).toBe(2);
    await email.sendEvent(0);
    workspace.wait(420);
    await workspace.sweep();
    expect(await workspace.used()).toBe(2);
    expect(await workspace.counts()).toEqual({ sent: 2, delivered: 2 });
    expect(await email.accepted()).toEqual(['m0', undefined, undefined]);
  });

  it('does not stay counted for a delivery of an earlier attempt reported in its minute', async () => {
    const workspace = openWorkspace();
    workspace.wait(120);
    const email = openEmail(workspace);
    await email.attempt();
    await email.sendEvent(0);
    workspace.wait(300);
    await email.attempt();
    await email.deliveryEvent(0);
    workspace.wait(420);
    await workspace.sweep();
    expect(await workspace.used()).toBe(2);
    expect(await workspace.counts()).toEqual({ sent: 2, delivered: 2 });
  });

  it('becomes an email by its Send event alone, with all its content', async () => {
    const workspace = openWorkspace();
    const { email, attempt, sendEvent } = openEmail(workspace);
    await attempt();
    expect(await modules.getEmail(workspace.workspaceId, email.id)).toBeNull();
    workspace.wait(3 * 86_400);
    await workspace.sweep();
    await sendEvent(2);
    expect(await modules.getEmail(workspace.workspaceId, email.id)).toMatchObject({ email });
  });

  it('leaves its reservation to a later attempt, and to the next one, until it is settled', async () => {
    const workspace = openWorkspace();
    const email = openEmail(workspace);
    workspace.wait(120);
    const next = openEmail(workspace);
    expect(await next.attempt(5)).toBe(true);
    expect(await email.attempt(5)).toBe(false);
    for (const seconds of [20, 70, 70]) {
      workspace.wait(seconds);
      expect(await next.attempt(5)).toBe(true);
      expect(await workspace.used()).toBe(5);
    }
    for (const envelope of [0, 1, 2]) await next.yes(envelope);
    workspace.wait(420);
    await workspace.sweep();
    expect(await workspace.used()).toBe(5);
  });

  it('leaves nothing to a later attempt with a late clock, which reserves in its own minute', async () => {
    const workspace = openWorkspace();
    workspace.wait(240);
    const email = openEmail(workspace);
    await email.attempt();
    workspace.wait(-120);
    expect(await email.attempt()).toBe(true);
    expect((await workspace.minutes()).map(({ recipients }) => recipients)).toEqual([5, 5]);
    await email.yes(0);
    workspace.wait(600);
    await workspace.sweep();
    expect(await workspace.used()).toBe(2);
  });

  it('counts as delivered until its minute is settled, so that the reputation is judged leniently until then', async () => {
    const workspace = openWorkspace();
    const email = openEmail(workspace);
    await email.attempt();
    await email.yes(0);
    expect(await workspace.counts()).toEqual({ sent: 5, delivered: 5 });
    workspace.wait(420);
    await workspace.sweep();
    expect(await workspace.counts()).toEqual({ sent: 2, delivered: 0 });
  });

  it('leaves its reservation to one of two concurrent later attempts', async () => {
    const workspace = openWorkspace();
    workspace.wait(120);
    const email = openEmail(workspace);
    await email.attempt(5);
    workspace.wait(70);
    expect(await Promise.all([email.attempt(5), email.attempt(5)])).toContain(true);
    expect(await workspace.used()).toBe(5);
    expect((await workspace.minutes()).map(({ recipients }) => recipients)).toEqual([0, 5]);
  });

  it('leaves nothing to a later attempt once it is given back, which then needs quota of its own', async () => {
    const workspace = openWorkspace();
    workspace.wait(120);
    const [refused, forgotten] = [openEmail(workspace), openEmail(workspace)];
    await refused.attempt();
    await refused.no(1);
    await forgotten.attempt();
    expect(await refused.attempt(9)).toBe(false);
    workspace.wait(420);
    await workspace.sweep();
    expect(await forgotten.attempt(4)).toBe(false);
    expect(await forgotten.attempt(5)).toBe(true);
    expect(await workspace.used()).toBe(5);
  });

  it('is settled once by concurrent sweepers, and leaves nothing behind', async () => {
    const workspace = openWorkspace();
    const emails = Array.from({ length: 5 }, () => openEmail(workspace));
    for (const [index, email] of emails.entries()) {
      await email.attempt();
      if (index > 1) await email.yes(1);
      workspace.wait(25);
    }
    workspace.wait(420);
    await Promise.all(Array.from({ length: 4 }, () => workspace.sweep()));
    expect(await workspace.used()).toBe(6);
    expect(await workspace.minutes()).toEqual([]);
    const due = await modules.listDueMonths(new Date('2030-01-01'), 100);
    expect(due.filter(({ workspaceId }) => workspaceId === workspace.workspaceId)).toEqual([]);
  });

  it('is settled by what is accepted and delivered, although eventually consistent reads do not show it yet', async () => {
    const workspace = openWorkspace();
    const [early, late, none] = [openEmail(workspace), openEmail(workspace), openEmail(workspace)];
    for (const email of [early, late, none]) await email.attempt();
    await early.yes(0);
    await late.sendEvent(2);
    await late.deliveryEvent(2);
    const restore = await lagging();
    try {
      for (const envelope of [1, 2]) await early.yes(envelope);
      await late.sendEvent(0);
      await early.deliveryEvent(1);
      workspace.wait(420);
      await workspace.sweep();
    } finally {
      restore();
    }
    expect(await workspace.used()).toBe(5 + 3);
    expect(await workspace.counts()).toEqual({ sent: 8, delivered: 1 + 2 });
  });

  /** From now on, eventually consistent reads show everything as it is at this moment. */
  async function lagging(): Promise<() => void> {
    const { ScanCommand } = await import('@aws-sdk/lib-dynamodb');
    const known = new Map<string, object>();
    let from: Record<string, unknown> | undefined;
    do {
      const scan = new ScanCommand({ TableName: 'test', ConsistentRead: true, ExclusiveStartKey: from });
      const page = await modules.documents.send(scan);
      for (const item of page.Items ?? []) known.set(`${item.pk} ${item.sk}`, item);
      from = page.LastEvaluatedKey;
    } while (from);
    return aroundCalls(modules.documents, (next) => async (command) => {
      const { RequestItems: { test: asked } = {} } = command.input as { RequestItems?: Record<string, Asked> };
      if (command.operation !== 'BatchGetItem' || !asked || asked.ConsistentRead) return next(command);
      return { Responses: { test: asked.Keys.flatMap(({ pk, sk }) => known.get(`${pk} ${sk}`) ?? []) } };
    });
  }
  interface Asked {
    readonly Keys: readonly { readonly pk: string; readonly sk: string }[];
    readonly ConsistentRead?: boolean;
  }

  it('is not settled while its minute may still be written to', async () => {
    const workspace = openWorkspace();
    const email = openEmail(workspace);
    await email.attempt();
    workspace.wait(335);
    await workspace.sweep();
    expect(await workspace.used()).toBe(5);
    workspace.wait(5);
    await workspace.sweep();
    expect(await workspace.used()).toBe(0);
  });

  it('counts exactly what SES accepted and delivered, in any order and concurrency of events', async () => {
    const envelope = fc.nat({ max: 2 });
    const step = fc.oneof(
      fc.record({ kind: fc.constantFrom('yes', 'sendEvent', 'deliveryEvent'), which: fc.nat({ max: 2 }), envelope }),
      fc.record({ kind: fc.constantFrom('attempt', 'sweep', 'no'), which: fc.nat({ max: 2 }), envelope }),
    );
    const round = fc.record({
      wait: fc.constantFrom(0, 1, 30, 70, 170, 230, 290, 400),
      steps: fc.array(step, { minLength: 1, maxLength: 5 }),
    });
    const activity = collectActivity(modules.logger);
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 9 }), async (rounds) => {
        const workspace = openWorkspace();
        const emails = [0, 1, 2].map(() => openEmail(workspace));
        for (const email of emails) await email.attempt();
        for (const { wait, steps } of rounds) {
          workspace.wait(wait);
          await Promise.all(
            steps.map(async ({ kind, which, envelope }) => {
              const email = emails[which];
              if (kind === 'sweep') await workspace.sweep();
              else if (kind === 'attempt') await email?.attempt();
              else if (kind === 'no') await email?.no(envelope + 1);
              else await email?.[kind as 'yes' | 'sendEvent' | 'deliveryEvent'](envelope);
            }),
          );
        }
        workspace.wait(600);
        await workspace.sweep();
        const out = emails.reduce((sum, { taken }) => sum + countOf(taken.keys()), 0);
        expect(await workspace.used()).toBe(out);
        const delivered = emails.reduce((sum, email) => sum + email.delivered.size, 0);
        expect(await workspace.counts()).toEqual({ sent: out, delivered });
        expect(activity.sumOf(workspace.workspaceId)).toMatchObject({ sent: out, delivered });
        expect(await workspace.minutes()).toEqual([]);
        for (const { accepted, taken } of emails) {
          const messageIds = await accepted();
          expect([0, 1, 2].map((index) => Boolean(messageIds[index]))).toEqual(
            [0, 1, 2].map((index) => taken.has(index)),
          );
        }
      }),
      { numRuns: 40 },
    );
    activity.stop();
  });
});

describe('a month that cannot be settled', () => {
  /** An entry that cannot be read. */
  async function spoil(workspaceId: string, minute: number) {
    const { DeleteCommand, PutCommand } = await import('@aws-sdk/lib-dynamodb');
    const { sendsPartition } = await import('../../../../shared/store/table/keys.ts');
    const Key = { pk: sendsPartition(workspaceId, minute, 0), sk: 'spoilt' };
    await modules.documents.send(new PutCommand({ TableName: 'test', Item: { ...Key, kind: 'email' } }));
    return { mend: () => modules.documents.send(new DeleteCommand({ TableName: 'test', Key })) };
  }

  it('does not block others, and is tried again by the next run, behind those that are due', async () => {
    const [spoilt, ...others] = Array.from({ length: 30 }, () => openWorkspace());
    if (!spoilt) throw new Error('There is no workspace.');
    for (const workspace of [spoilt, ...others]) {
      await openEmail(workspace).attempt();
      workspace.wait(420);
    }
    const [{ minute = 0 } = {}] = await spoilt.minutes();
    const { mend } = await spoil(spoilt.workspaceId, minute);
    await expect(spoilt.sweep()).rejects.toThrow('1 due items failed.');
    expect(await Promise.all(others.map(({ used }) => used()))).toEqual(others.map(() => 0));
    expect([await spoilt.isDueIn(29), await spoilt.isDueIn(30)]).toEqual([false, true]);
    // A run may come some seconds early.
    spoilt.wait(50);
    await expect(spoilt.sweep()).rejects.toThrow('due items failed');
    expect(await spoilt.used()).toBe(5);
    await mend();
    spoilt.wait(50);
    await spoilt.sweep();
    expect(await spoilt.used()).toBe(0);
  });

  it('is not put off when another sweeper has settled it meanwhile', async () => {
    const workspace = openWorkspace();
    await openEmail(workspace).attempt();
    workspace.wait(420);
    await workspace.sweep();
    const tomorrow = new Date(workspace.now().getTime() + 86_400_000);
    for (const month of months) await modules.putOffMonth({ workspaceId: workspace.workspaceId, month }, tomorrow);
    await openEmail(workspace).attempt();
    expect(await workspace.isDueIn(420)).toBe(true);
  });

  it('is not put off by a minute that a fast clock has opened', async () => {
    const [workspace, ahead] = [openWorkspace(), openWorkspace()];
    workspace.wait(86_400);
    ahead.wait(86_400 + 12 * 3600);
    const email = openEmail({ ...ahead, workspaceId: workspace.workspaceId });
    await openEmail(workspace).attempt();
    await email.attempt();
    for (const minutes of [1, 5, 9]) {
      workspace.wait(minutes * 60);
      await openEmail(workspace).attempt();
      await workspace.sweep();
    }
    workspace.wait(420);
    await workspace.sweep();
    expect(await workspace.used()).toBe(5);
    workspace.wait(12 * 3600);
    await workspace.sweep();
    expect(await workspace.used()).toBe(0);
  });

  it('is found although a fast clock opened its first minute', async () => {
    const [workspace, ahead] = [openWorkspace(), openWorkspace()];
    workspace.wait(86_400);
    ahead.wait(86_400 + 12 * 3600);
    await openEmail({ ...ahead, workspaceId: workspace.workspaceId }).attempt();
    await openEmail(workspace).attempt();
    for (let minute = 0; minute < 20; minute += 1) {
      workspace.wait(60);
      await workspace.sweep();
    }
    expect(await workspace.used()).toBe(5);
  });
});

describe('a reservation that the sweeper does not know', () => {
  it.each(['campaign', 'digest'])(
    'it never gives back: 50,000 recipients reserved in a minute by a %s',
    async (kind) => {
      const workspace = openWorkspace();
      const email = openEmail(workspace);
      await email.attempt();
      await retell(email.email, { kind, holder_id: createId('camp', start), recipients: 50_000, counted: 50_000 });
      workspace.wait(86_400);
      await workspace.sweep();
      expect(await workspace.used()).toBe(50_000);
      if (kind === 'digest')
        expect([await workspace.isDueIn(299), await workspace.isDueIn(300)]).toEqual([false, true]);
    },
  );

  /** Makes the attempt one of another holder: what it took, and what lists it. */
  async function retell(
    { workspaceId, id }: Email,
    fields: { kind: string; recipients: number; [name: string]: unknown },
  ) {
    const { UpdateCommand } = await import('@aws-sdk/lib-dynamodb');
    const { monthKey, sendsPartition, sendShards } = await import('../../../../shared/store/table/keys.ts');
    const { shardOf } = await import('../../../../shared/domain/encoding.ts');
    const [{ minute = 0 } = {}] = (await modules.getMonth(workspaceId, '2026-06')).minutes;
    const names = Object.keys(fields);
    await modules.documents.send(
      new UpdateCommand({
        TableName: 'test',
        Key: { pk: sendsPartition(workspaceId, minute, shardOf(id, sendShards)), sk: id },
        UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, fields[name]])),
      }),
    );
    await modules.documents.send(
      new UpdateCommand({
        TableName: 'test',
        Key: monthKey(workspaceId, '2026-06'),
        UpdateExpression: `ADD used :more, t${minute} :more, c${minute} :more`,
        ExpressionAttributeValues: { ':more': fields.recipients - recipients.length },
      }),
    );
  }
});
