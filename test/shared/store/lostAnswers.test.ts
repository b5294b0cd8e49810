import { createId } from '../../../shared/domain/identifier.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { minuteOf } from '../../../shared/domain/sending/settlement.ts';
import { newDelivery } from '../../../shared/domain/webhook/delivery.ts';
import { newWebhook } from '../../../shared/domain/webhook/webhook.ts';
import { emailTo } from './emails/emailTo.ts';
import { startInterferingTable } from './table/interferingTable.ts';
import { useTable } from './testTable.ts';

/*
 * Every write of the store that is made once, on a condition. Its answer is lost, the client repeats it, and the condition
 * fails because of the first try: it must answer as if nothing had been lost.
 */

const at = new Date('2026-06-15T12:00:30.000Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
const workspaceId = createId('ws', at);
const day = '2026-11-20';
const expiresAt = Math.floor(later(86_400).getTime() / 1000);

let table: Awaited<ReturnType<typeof startInterferingTable>>;
let store: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../shared/store/campaign/pace.ts')),
  ...(await import('../../../shared/store/campaign/runners.ts')),
  ...(await import('../../../shared/store/campaign/slices.ts')),
  ...(await import('../../../shared/store/campaign/watches.ts')),
  ...(await import('../../../shared/store/emails/idempotencyClaims.ts')),
  ...(await import('../../../shared/store/emails/scheduledEmails.ts')),
  ...(await import('../../../shared/store/feedbackWatermarks.ts')),
  ...(await import('../../../shared/store/jobs.ts')),
  ...(await import('../../../shared/store/operators.ts')),
  ...(await import('../../../shared/store/quota/attempts.ts')),
  ...(await import('../../../shared/store/suppression/platformSuppression.ts')),
  ...(await import('../../../shared/store/webhook/deliveries.ts')),
  ...(await import('../../../shared/store/webhook/webhookSlots.ts')),
  ...(await import('../../../shared/store/workspace/deletions.ts')),
  ...(await import('../../../shared/store/workspace/segments.ts')),
  ...(await import('../../../shared/store/workspace/workspaces.ts')),
  deliveries: await import('../../../shared/store/webhook/deliveryChanges.ts'),
  webhooks: await import('../../../shared/store/webhook/webhooks.ts'),
  people: await import('../../../shared/store/person/people.ts'),

  transact: (await import('../../../shared/store/table/transaction.ts')).transact,
  ...(await import('../../../shared/store/table/table.ts')),
});

beforeAll(async () => {
  table = await startInterferingTable();
  useTable(table.endpoint);
  process.env.WEBHOOK_RETENTION_DAYS = '30';
  store = await load();
  await store.putWorkspace({
    ...{ id: workspaceId, publicId: 'public', name: 'Test', plan: 'free', language: 'en', createdAt: at.toISOString() },
  });
  await store.putAccountRate({ perSecond: 14, perDay: null, sentInDay: 0 }, at.getTime());
});
afterAll(async () => {
  store.documents.destroy();
  await table.stop();
});
afterEach(() => expect(table.interferences).toEqual([]));

type Write = () => Promise<unknown>;

const exists = <T>(found: T | null): T => {
  if (found === null) throw new Error('It is missing.');
  return found;
};

async function scheduledEmail() {
  const { envelopes: _, isQuotaExempt: __, ...email } = emailTo(workspaceId, ['ada@example.net'], at);
  const { from, to, cc, bcc, replyTo, subject, tags } = email;
  await store.addScheduled(newScheduled(email.id, { from, to, cc, bcc, replyTo, subject, tags }), {
    ...{ stage: 'far', at },
  });
  return exists(await store.getScheduled({ workspaceId, id: email.id }));
}

const newScheduled = (id: string, content: Parameters<typeof store.addScheduled>[0]['content']) => ({
  ...{ workspaceId, id, content, state: 'scheduled' as const, scheduledAt: at.toISOString(), expiresAt },
  ...{ createdAt: at.toISOString(), updatedAt: at.toISOString(), inDoubt: [], tries: 0 },
});

async function campaignRunner() {
  const campaign = { workspaceId, id: createId('camp', at) };
  await store.transact(store.runnerParts(campaign, { runners: 1 }, at, expiresAt));
  return { workspaceId, campaignId: campaign.id, runner: 0 };
}

async function keyClaim() {
  const position = { workspaceId, keyHash: crypto.randomUUID() };
  const claim = { emailId: createId('email', at), bodyHash: 'hash', claimedAt: at.getTime(), inDoubt: [] };
  await store.claim(position, claim, at);
  return { position, claim };
}

async function attempt() {
  const email = emailTo(workspaceId, ['ada@example.net'], at);
  await store.putSend(email, { recipients: 1, counted: 1 }, minuteOf(at));
  return email;
}

async function delivery() {
  const position = { workspaceId, webhookId: createId('whk', at), deliveryId: createId('whd', at) };
  const event = { eventId: createId('evt', at), eventType: 'email.delivered' as const, body: '{}', createdAt: at };
  const written = newDelivery(position, event);
  await store.addDelivery(written);
  return written;
}

async function webhook() {
  const settings = { name: 'w', url: 'https://example.com', events: ['email.delivered'] as const, enabled: true };
  const made = newWebhook({ workspaceId, webhookId: createId('whk', at) }, settings, 'sealed', at);
  await store.webhooks.addWebhook(made, 1000);
  return made;
}

const newJob = (): Job => ({
  ...{ workspaceId, id: createId('job', at), state: 'running', by: { name: 'Ada', role: 'owner' }, language: 'en' },
  work: { kind: 'export', format: 'csv', status: null, segmentId: null, segmentName: null, records: 0 },
  ...{ createdAt: at.toISOString(), endedAt: null, failure: null, holder: null, tries: 0, revision: 0 },
  dueAt: at.toISOString(),
});

async function job() {
  const made = newJob();
  await store.putJob(made);
  return made;
}

const slice = () => ({ workspaceId, campaignId: createId('camp', at), chunk: 0, slice: 0 });
const callAttempt = () => ({ id: crypto.randomUUID().slice(0, 8), positions: new Set([0, 1]), deadline: later(12) });

const failed = { accepted: false, status: 500, body: '', error: 'http', durationMilliseconds: 5 };
const email = (name: string) => `${name}-${crypto.randomUUID()}@example.net`;

async function operator() {
  const invited = { id: createId('opr', at), email: email('op'), role: 'owner' as const, workspaceId: null };
  await store.putInvitation({ ...invited, invitedAt: at.toISOString(), invitedBy: 'Ada' });
  return { ...invited, invitedAt: at.toISOString(), invitedBy: 'Ada', identity: null, signedInAt: null };
}

/** Each makes what the write needs, and gives the write. */
const writes: Readonly<Record<string, () => Promise<Write>>> = {
  'an email is scheduled': async () => {
    const { content } = await scheduledEmail();
    const email = newScheduled(createId('email', at), content);
    return () => store.addScheduled(email, { stage: 'far', at });
  },
  'a scheduled email is claimed': async () => {
    const stored = await scheduledEmail();
    return () => store.claimScheduled(stored, [], at, { stage: 'queued', at: later(90) });
  },
  'a scheduled email is queued': async () => {
    const stored = await scheduledEmail();
    const [due] = (await store.listDueScheduled('far', at, 100)).filter(({ key }) => key.pk.includes(stored.id));
    return () => store.takeDue(exists(due ?? null), later(60));
  },
  'a scheduled email is opened again': async () => {
    const due = { stage: 'queued', at: later(90) } as const;
    const own = exists(await store.claimScheduled(await scheduledEmail(), [], at, due));
    return () => store.reopenScheduled(own, true, 1, due);
  },
  'a scheduled email is moved': async () => {
    const stored = await scheduledEmail();
    const moved = later(3600);
    return () => store.reschedule(stored, moved.toISOString(), { stage: 'far', at: moved }, at, expiresAt);
  },
  'a scheduled email is canceled': async () => {
    const stored = await scheduledEmail();
    return () => store.endScheduled(stored, { reason: 'requested' }, at, { stage: 'queued', at: later(60) });
  },
  'the turn of a runner begins': async () => {
    const runner = await campaignRunner();
    return () => store.beginTurn(runner, 0, later(240));
  },
  'the turn of a runner ends': async () => {
    const runner = exists(await store.beginTurn(await campaignRunner(), 0, later(240)));
    return () => store.endTurn(runner, 1, later(240));
  },
  'positions of a slice are claimed': async () => {
    const [position, attempt] = [slice(), callAttempt()];
    return () => store.claimPositions(position, 0, { attempt, sets: {}, day, expiresAt });
  },
  'people of a slice are skipped': async () => {
    const [position, skipped] = [slice(), { 'skip.suppressed': new Set([3]) }];
    return () => store.claimPositions(position, 0, { attempt: null, sets: skipped, day, expiresAt });
  },
  'a doubt of a slice is taken back': async () => {
    const [position, attempt] = [slice(), callAttempt()];
    await store.claimPositions(position, 0, { attempt, sets: {}, day, expiresAt });
    return () => store.clearDoubt(position, 1, attempt);
  },
  'a look at a campaign is noted': async () => {
    const campaign = { workspaceId, id: createId('camp', at) };
    await store.transact([store.watchPart(campaign as never, later(-300), expiresAt)]);
    const due = (await store.listDueWatches(at, 100)).map((one) => one.read());
    const watch = exists(due.find(({ campaignId }) => campaignId === campaign.id) ?? null);
    return () => store.putCheckResult(watch, { state: watch.state, recount: null, nextAt: later(600) });
  },
  'an Idempotency-Key is claimed': async () => {
    const position = { workspaceId, keyHash: crypto.randomUUID() };
    const claim = { emailId: createId('email', at), bodyHash: 'hash', claimedAt: at.getTime(), inDoubt: [] };
    return async () => (await store.claim(position, claim, at)) === null;
  },
  'an Idempotency-Key is taken over': async () => {
    const { position, claim } = await keyClaim();
    return () => store.takeOver(position, claim, [0], later(400));
  },
  'what a batch refused is noted': async () => {
    const { position, claim } = await keyClaim();
    return () => store.noteRefused(position, claim, [{ index: 0, text: { en: 'no' } }]);
  },
  'the reservation of an attempt is closed': async () => {
    const { id } = await attempt();
    return () => store.closeSend(workspaceId, minuteOf(at), id, minuteOf(at) + 1);
  },
  'the account may be read': async () => {
    const now = Date.now() + pause();
    return () => store.mayReadAccount(now, null, 1);
  },
  'a slot of the pace is taken, once': async () => {
    const now = Date.now() + pause();
    const pace = exists(await store.getPace());
    return async () => {
      const slot = await store.takePaceSlot({ ...pace, until: 0 }, 10, now);
      return slot.kind === 'taken' && slot.startsAt === now;
    };
  },
  'the common speed is changed': async () => {
    const now = Date.now() + pause();
    const { factor } = exists(await store.getPace());
    return () => store.putFactor(factor, factor / 2, { now, quietMilliseconds: 1000 });
  },
  'a probe is noted': async () => {
    const now = new Date(Date.now() + pause());
    return () => store.noteProbe(now, new Date(now.getTime() - 1));
  },
  'a webhook event is written down': async () => {
    const { deliveryId: _, ...written } = await delivery();
    const another = { ...written, deliveryId: createId('whd', at) };
    return () => store.addDelivery(another);
  },
  'an attempt at a webhook is claimed': async () => {
    const written = await delivery();
    return () => store.deliveries.claimAttempt(written, later(60));
  },
  'an attempt at a webhook is recorded': async () => {
    const written = await delivery();
    return () => store.deliveries.recordAttempt(written, failed, later(30), at);
  },
  'the last attempt at a webhook is recorded': async () => {
    const written = await delivery();
    return () => store.deliveries.recordAttempt(written, failed, null, at);
  },
  'a held delivery is released': async () => {
    const written = await delivery();
    await store.deliveries.holdDelivery(written, later(60), at);
    return () => store.deliveries.releaseDelivery(written, later(1));
  },
  'a slow endpoint gives its only slot': async () => {
    const position = { workspaceId, webhookId: createId('whk', at) };
    return () => store.takeSlot(position, 1, at, later(20));
  },
  'a failing webhook is disabled': async () => {
    const made = await webhook();
    return () => store.webhooks.disableAsFailing(made, later(1));
  },
  'the secret of a webhook is rotated': async () => {
    const made = await webhook();
    const previous = [{ sealed: made.secret, until: later(86_400) }];
    return () => store.webhooks.rotateSecret(made, { secret: 'new', previousSecrets: previous }, {}, later(1));
  },
  'a job is created': async () => {
    const made = newJob();
    return () => store.putJob(made);
  },
  'a job is claimed': async () => {
    const made = await job();
    return () => store.changeJob(made, { holder: crypto.randomUUID(), dueAt: later(120).toISOString() });
  },
  'a late job is released': async () => {
    const { id, dueAt } = await job();
    return () => store.releaseLateJob({ workspaceId, id, dueAt: dueAt ?? '' }, later(60));
  },
  'a person is changed': async () => {
    const { person } = await store.people.getAddress(workspaceId, email('person'));
    const changed = { ...person, preferences: { opens: 'denied', clicks: 'denied', leftTags: ['kind:news'] } as const };
    return () => store.people.savePerson(person, changed, []);
  },
  'a workspace is suspended': async () => {
    await store.resume(workspaceId, { date: '2026-06-15', sent: 0, delivered: 0, bounced: 0, complained: 0 });
    const suspension = { since: later(Math.random()).toISOString(), bounceRate: 0.06, complaintRate: 0 };
    return () => store.suspend(workspaceId, suspension);
  },
  'the deletion of a workspace proceeds': async () => {
    const id = createId('ws', at);
    await store.startDeletion(id, at);
    const deletion = exists(await store.getDeletion(id));
    return () => store.noteDeletion(deletion, { ...deletion, scanned: 7 }, later(60));
  },
  'a segment is deleted': async () => {
    const id = createId('seg', at);
    await store.putSegment(workspaceId, { id, name: 'S', rule: { all: [] } as never, createdAt: at.toISOString() });
    return () => store.deleteSegment(workspaceId, id);
  },
  'an operator is invited': async () => {
    const { identity: _, signedInAt: __, ...known } = await operator();
    const invitation = { ...known, email: email('new') };
    return () => store.putInvitation(invitation);
  },
  'an operator signs in': async () => {
    const invited = await operator();
    const identity = { issuer: 'https://example.com', subject: 'ada' };
    return () => store.noteSignIn({ ...invited, identity: null }, identity, later(1));
  },
  'an operator is removed': async () => {
    const invited = await operator();
    return () => store.removeStoredOperator(invited.email);
  },
  'an address is taken off the platform’s list': async () => {
    const address = email('bounced');
    await store.putPlatformSuppression(address, 'bounce', at);
    return () => store.deletePlatformSuppression(address);
  },
};

/** Each is after all before it. */
let paused = 0;
const pause = () => (paused += 10_000);

describe('when its answer is lost', () => {
  it.each(Object.keys(writes))('%s all the same', async (name) => {
    const prepare = writes[name] as () => Promise<Write>;
    expect(await (await prepare())()).toBeTruthy();
    const write = await prepare();
    table.interferences.push('answer lost');
    expect(await write()).toBeTruthy();
  });
});

describe('where only one of two may succeed, the answer that is lost was a refusal, and', () => {
  const exclusive = [
    'a scheduled email is claimed',
    'the turn of a runner begins',
    'an Idempotency-Key is taken over',
    'the reservation of an attempt is closed',
  ];
  it.each(exclusive)('%s by another in the same millisecond', async (name) => {
    const write = await (writes[name] as () => Promise<Write>)();
    expect(await write()).toBeTruthy();
    table.interferences.push('answer lost');
    expect(await write()).toBeFalsy();
  });
});

describe('a claim of a slice whose answer was lost', () => {
  it('answers the slice as it was before it', async () => {
    const [position, attempt] = [slice(), callAttempt()];
    await store.addToSlice(position, {
      ...{ sets: { unsubscribed: new Set([9]) }, provenAttempts: new Set(), expiresAt },
    });
    table.interferences.push('answer lost');
    const skipped = { 'skip.suppressed': new Set([3]) };
    const before = await store.claimPositions(position, 0, { attempt, sets: skipped, day, expiresAt });
    expect(before).toMatchObject({ version: 0, attempts: [] });
    expect(before?.sets.unsubscribed).toEqual(new Set([9]));
    expect(before?.sets['skip.suppressed']?.size ?? 0).toBe(0);
    expect(await store.getSlice(position)).toMatchObject({ version: 1, attempts: [{ id: attempt.id }] });
  });
});
