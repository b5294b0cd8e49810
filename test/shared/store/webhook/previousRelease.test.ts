import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isHeld } from '../../../../shared/domain/webhook/delivery.ts';
import { signingSecrets } from '../../../../shared/domain/webhook/secretRotation.ts';
import type { Webhook } from '../../../../shared/domain/webhook/webhook.ts';
import { parseWebhookMessage } from '../../../../shared/queue/webhookMessage.ts';
import { temporaryFolder } from '../../../infra/local/processes.ts';
import { fillTable, itemsOf, readRecords, type StoredItem, unreadableBefore } from '../records.ts';
import { startTestTable } from '../testTable.ts';

/** Webhooks and deliveries as release 1.0.0 wrote them; each is named for what it shows. */
const records = readRecords<{ serviceSecret: string; secrets: Record<string, string>; items: StoredItem[] }>(
  'webhooks.json',
);
const formerWebhooks = records.items.filter(({ webhook_id }) => webhook_id);
const formerDeliveries = records.items.filter(({ event_id }) => event_id);
const workspaceId = String(formerWebhooks[0]?.workspace_id?.S);
const start = new Date('2026-11-21T10:00:00.000Z');
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);

let table: Awaited<ReturnType<typeof startTestTable>>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [webhooks, secret, deliveries, changes, due, erasures, slots] = await Promise.all([
    import('../../../../shared/store/webhook/webhooks.ts'),
    import('../../../../shared/store/webhook/webhookSecret.ts'),
    import('../../../../shared/store/webhook/deliveries.ts'),
    import('../../../../shared/store/webhook/deliveryChanges.ts'),
    import('../../../../shared/store/webhook/dueDeliveries.ts'),
    import('../../../../shared/store/webhook/erasures.ts'),
    import('../../../../shared/store/webhook/webhookSlots.ts'),
  ]);
  return { ...webhooks, ...secret, ...deliveries, ...changes, ...due, ...erasures, ...slots };
}

beforeAll(async () => {
  [table, folder] = await Promise.all([startTestTable(), temporaryFolder()]);
  process.env.SERVICE_SECRET_FILE = join(folder.path, 'secret.json');
  writeFileSync(process.env.SERVICE_SECRET_FILE, JSON.stringify({ current: records.serviceSecret }));
  modules = await load();
});
afterAll(() => Promise.all([table.stop(), folder.remove()]));
beforeEach(() => fillTable(records.items));

async function webhookNamed(name: string): Promise<Webhook> {
  const webhook = (await modules.listWebhooks(workspaceId)).find((one) => one.name === name);
  if (!webhook) throw new Error(`There is no webhook "${name}".`);
  return webhook;
}

/** A delivery by what its event says of it; the log of `fresh` holds most. */
async function deliveryNamed(name: string, of = 'fresh') {
  const webhook = await webhookNamed(of);
  const { deliveries } = await modules.listDeliveries(webhook, { limit: 100, now: start });
  const delivery = deliveries.find(({ body }) => JSON.parse(body).data.is === name);
  if (!delivery) throw new Error(`There is no delivery "${name}".`);
  return delivery;
}

describe('webhooks of the release before', () => {
  it('are read with their settings and their state', async () => {
    expect((await modules.listWebhooks(workspaceId)).map(({ name }) => name)).toEqual([
      ...['disabled', 'failing', 'rotated', 'fresh'],
    ]);
    expect(await webhookNamed('failing')).toMatchObject({
      events: ['email.bounced'],
      enabled: true,
      previousSecrets: [],
      disabledReason: null,
      failingSince: start,
      slowUntil: later(60),
      createdAt: start,
    });
    expect(await webhookNamed('disabled')).toMatchObject({ enabled: false, disabledReason: 'failing' });
  });

  it('sign with the secrets that their receivers hold', async () => {
    const rotated = await webhookNamed('rotated');
    const opened = (sealed: string) => modules.openWebhookSecret(sealed, rotated);
    expect(signingSecrets(rotated, later(60 + 86_400))).toEqual([rotated.secret]);
    const [current, previous] = await Promise.all(signingSecrets(rotated, later(3600)).map(opened));
    expect(previous).toBe(records.secrets.rotated);
    expect(current).toMatch(/^whsec_/);
    for (const name of ['fresh', 'failing', 'disabled']) {
      const webhook = await webhookNamed(name);
      expect(await modules.openWebhookSecret(webhook.secret, webhook)).toBe(records.secrets[name]);
    }
  });

  it('are changed, counted and deleted', async () => {
    const rotated = await webhookNamed('rotated');
    const secrets = {
      secret: 'new',
      previousSecrets: [{ sealed: rotated.secret, until: later(90_000) }, ...rotated.previousSecrets],
    };
    expect(await modules.rotateSecret(rotated, secrets, { enabled: true }, later(1))).toMatchObject(secrets);
    await modules.markSlow(await webhookNamed('failing'), later(120));
    expect(await webhookNamed('failing')).toMatchObject({ slowUntil: later(120) });
    await modules.clearFailing(await webhookNamed('failing'));
    expect(await webhookNamed('failing')).toMatchObject({ failingSince: null });
    expect(await modules.addWebhook({ ...rotated, webhookId: 'whk_new' }, 4)).toBe(false);
    expect(await modules.deleteWebhook(rotated, later(1))).toBe(true);
    expect(await modules.addWebhook({ ...rotated, webhookId: 'whk_new' }, 4)).toBe(true);
  });

  it('can be read by that release once this one has written them', async () => {
    const rotated = await webhookNamed('rotated');
    const earlier = [1, 2, 3].map((hours) => ({ sealed: `s${hours}`, until: later(hours * 3600) })).reverse();
    await modules.rotateSecret(rotated, { secret: 'new', previousSecrets: earlier }, { enabled: true }, later(1));
    await modules.addWebhook({ ...rotated, webhookId: 'whk_new', name: 'new' }, 20);
    const written = (await itemsOf(`WS#${workspaceId}#WEBHOOKS`)).filter(({ webhook_id }) => webhook_id);
    expect(written.flatMap((item) => unreadableBefore(formerWebhooks, item))).toEqual([]);
    const item = written.find(({ name }) => name?.S === 'rotated');
    expect(item).toMatchObject({
      previous_secret: { S: 's3' },
      previous_secret_until: { S: later(3 * 3600).toISOString() },
    });
    expect((await webhookNamed('rotated')).previousSecrets).toEqual(earlier);
  });

  it('hold no place of a worker whose time is over, and keep those that are taken', async () => {
    const failing = await webhookNamed('failing');
    const take = async (at: number) =>
      (
        await Promise.all(Array.from({ length: 8 }, () => modules.takeSlot(failing, 5, later(at), later(at + 20))))
      ).filter(Boolean);
    expect(await take(1)).toHaveLength(4);
    expect(await take(41)).toHaveLength(5);
  });
});

describe('deliveries of the release before', () => {
  it('are read with all that became of them', async () => {
    expect(await deliveryNamed('new')).toMatchObject({
      status: 'pending',
      tries: 0,
      replays: 0,
      error: null,
      updatedAt: later(1),
    });
    expect(await deliveryNamed('delivered')).toMatchObject({
      ...{ status: 'delivered', tries: 1, replays: 2, responseStatus: 200, responseBody: '', error: null },
      ...{ nextAttemptAt: null, dueAt: null, createdAt: later(2), expiresAt: later(2 + 30 * 86_400) },
    });
    expect(await deliveryNamed('retried')).toMatchObject({
      ...{ status: 'pending', tries: 1, responseStatus: 503, responseBody: 'later', error: 'status' },
      ...{ nextAttemptAt: later(35), dueAt: later(35), claimedUntil: null, updatedAt: later(5) },
    });
    expect(await deliveryNamed('claimed')).toMatchObject({ status: 'pending', claimedUntil: later(20) });
    expect(await deliveryNamed('failed')).toMatchObject({ status: 'failed', tries: 5, dueAt: null });
    expect(isHeld(await deliveryNamed('held', 'rotated'))).toBe(true);
    const { deliveries } = await modules.listDeliveries(await webhookNamed('fresh'), { limit: 100, now: start });
    expect(deliveries[0]).toMatchObject({ eventType: 'webhook.test', status: 'failed', tries: 1 });
  });

  it('go on: claimed, attempted, replayed, released and given up', async () => {
    const outcome = { accepted: false, status: 500, body: '', error: 'status', durationMilliseconds: 1 };
    const retried = await deliveryNamed('retried');
    expect(await modules.claimAttempt(retried, later(60))).toBe(true);
    expect(await modules.recordAttempt(retried, outcome, later(200), later(40))).toMatchObject({
      ...{ tries: 2, nextAttemptAt: later(200), claimedUntil: null, dueAt: later(200) },
    });
    expect(await modules.claimAttempt(await deliveryNamed('claimed'), later(60))).toBe(true);
    const taken = { ...outcome, accepted: true, status: 200, error: null };
    expect(await modules.recordReplay(await deliveryNamed('delivered'), taken, later(60))).toMatchObject({
      replays: 3,
    });
    expect(await modules.recordReplay(await deliveryNamed('new'), taken, later(60))).toMatchObject({ replays: 1 });
    const held = await deliveryNamed('held', 'rotated');
    expect(await modules.releaseDelivery(held, later(60))).toMatchObject({ error: null, dueAt: later(60) });
    await modules.abandonDelivery(held, 'held_too_long', later(70));
    expect(await deliveryNamed('held', 'rotated')).toMatchObject({ status: 'failed', dueAt: null });
  });

  it('are found by the sweeper, with the erasure of a deleted webhook', async () => {
    const due = await modules.listDueWork(new Date('2027-01-01T00:00:00Z'), 100);
    expect(due.filter(({ kind }) => kind === 'attempt')).toHaveLength(4);
    const [erasure, ...others] = due.filter((work) => work.kind === 'erasure');
    if (!erasure || others.length > 0) throw new Error(`There are ${others.length + 1} erasures.`);
    expect(await modules.putOffErasure(erasure, later(600))).toBe(true);
    expect(await modules.putOffErasure(erasure, later(600))).toBe(false);
    await modules.closeErasure(erasure);
    const retried = due.find((work) => work.dueAt.getTime() === later(35).getTime());
    if (retried?.kind !== 'attempt') throw new Error('The retry is not due.');
    expect(await modules.putOffAttempt(retried, later(600))).toMatchObject({ dueAt: later(600), tries: 1 });
  });

  it('can be read by that release once this one has written them', async () => {
    const fresh = await deliveryNamed('new');
    const outcome = { accepted: false, status: 500, body: '', error: 'status', durationMilliseconds: 1 };
    await modules.recordAttempt(fresh, outcome, later(200), later(40));
    await modules.recordReplay(await deliveryNamed('claimed'), { ...outcome, accepted: true }, later(60));
    await modules.addDelivery({ ...fresh, deliveryId: 'whd_new', dueAt: start });
    const written = (await itemsOf(`WS#${workspaceId}#WEBHOOK#${fresh.webhookId}`)).filter(({ event_id }) => event_id);
    expect(written.flatMap((item) => unreadableBefore(formerDeliveries, item))).toEqual([]);
  });
});

describe('a message of the release before', () => {
  const position = { workspace_id: 'ws_1', webhook_id: 'whk_1' };
  const expected = { workspaceId: 'ws_1', webhookId: 'whk_1' };

  it.each([
    [
      { kind: 'release', ...position },
      { kind: 'release', ...expected },
    ],
    [
      { kind: 'release', ...position, after: 'whd_1' },
      { kind: 'release', ...expected, after: 'whd_1' },
    ],
    [
      { kind: 'erase', ...position },
      { kind: 'erase', ...expected },
    ],
    [
      { kind: 'attempt', ...position, delivery_id: 'whd_1', tries: 2 },
      { kind: 'attempt', ...expected, deliveryId: 'whd_1', lane: 'live', tries: 2, deferrals: 0, twin: false },
    ],
    [
      { kind: 'attempt', ...position, delivery_id: 'whd_1', tries: 2, deferrals: 3, twin: true },
      { kind: 'attempt', ...expected, deliveryId: 'whd_1', lane: 'live', tries: 2, deferrals: 3, twin: true },
    ],
  ])('%j is understood, and written in the same way', async (wire, message) => {
    const { wireWebhookMessage } = await import('../../../../shared/queue/webhookMessage.ts');
    expect(parseWebhookMessage(JSON.stringify(wire))).toEqual(message);
    expect(JSON.parse(wireWebhookMessage(parseWebhookMessage(JSON.stringify(wire))))).toMatchObject(wire);
  });
});
