import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { call, eventually } from '../client.ts';
import { eventOf, type Receiver, startReceiver } from '../receiver.ts';
import { type OwnService, startService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

/** 10,000 in the long run: `WEBHOOK_EVENTS=10000 npm test -- test/acceptance/webhooks/webhooksCrash.test.ts`. */
const total = Number(process.env.WEBHOOK_EVENTS ?? 300);
const perEmail = 50;
const kills = 3;
/** The long run may be on a slow machine. */
const patienceSeconds = 120 + total / 10;

let service: OwnService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeAll(async () => {
  service = await startService();
  workspace = await newWorkspace(service, { plan: 'scale' });
  receiver = await startReceiver();
});
afterAll(async () => {
  await service?.stop();
  await receiver?.stop();
});

const api = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  call({ baseUrl: service.baseUrl, apiKey: workspace.apiKey }, method, `/api/v1${path}`, { body, headers });

/** One event in five is refused the first time. */
const isRefusedFirst = (eventId: string) => (createHash('sha256').update(eventId).digest()[0] ?? 0) % 5 === 0;

/** Sends until the service accepts; one Idempotency-Key makes one email of all tries. */
async function send(number: number): Promise<void> {
  const to = Array.from({ length: perEmail }, (_, index) => `p${number * perEmail + index}@example.net`);
  const body = { from: `hello@${workspace.domain}`, to, subject: 'Hello', text: 'Hello.' };
  await eventually(async () => {
    const answer = await api('POST', '/emails', body, { 'Idempotency-Key': `email-${number}` }).catch(() => null);
    return answer?.status === 202;
  }, patienceSeconds);
}

async function restart(): Promise<void> {
  await service.kill();
  service = await startService({ dataDir: service.dataDir });
}

/** As after a minute: the sweeper finds deliveries that were written and never queued. */
async function sweepEarly(): Promise<void> {
  const code = `
    const { sweepDueDeliveries } = await import('./shared/services/sweep/requeue.ts');
    await sweepDueDeliveries(new Date(Date.now() + 61_000));
  `;
  const cwd = join(import.meta.dirname, '..', '..', '..');
  const here = { ...process.env, NODE_OPTIONS: '', ...service.environment };
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { cwd, env: here });
}

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON of any shape, and tests look into them
async function wholeLog(id: string): Promise<any[]> {
  const entries = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await api('GET', `/webhooks/${id}/deliveries?limit=100${cursor && `&cursor=${cursor}`}`);
    entries.push(...body.data);
    cursor = body.next_cursor;
  }
  return entries;
}

describe('a service that is killed three times while receivers fail one time in five', () => {
  it('delivers every event at least once, and its log is right', async () => {
    const seen = new Map<string, number>();
    receiver.answer((request, response) => {
      const { id } = eventOf(request);
      const times = (seen.get(id) ?? 0) + 1;
      seen.set(id, times);
      response.writeHead(times === 1 && isRefusedFirst(id) ? 500 : 200).end();
    });
    const { body: webhook } = await api('POST', '/webhooks', { url: receiver.url, events: ['email.delivered'] });
    const emails = total / perEmail;
    const sending = (async () => {
      for (let number = 0; number < emails; number += 1) await send(number);
    })();
    for (let kill = 1; kill <= kills; kill += 1) {
      const enough = (total * kill) / (kills + 2);
      await eventually(async () => seen.size >= enough, patienceSeconds);
      await restart();
    }
    await sending;
    const recipients = () => new Set(receiver.requests.map((request) => eventOf(request).data.recipient));
    await eventually(async () => {
      if (recipients().size < total) await sweepEarly();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return recipients().size === total;
    }, patienceSeconds);
    expect(seen.size).toBe(total);
    const entries = await eventually(async () => {
      const found = await wholeLog(webhook.id);
      return found.every(({ status }) => status === 'delivered') && found;
    }, patienceSeconds);
    expect(entries).toHaveLength(total);
    expect(new Set(entries.map(({ event_id }) => event_id))).toEqual(new Set(seen.keys()));
    for (const { event_id, attempts, response_status, error, next_attempt_at } of entries) {
      expect({ response_status, error, next_attempt_at }).toEqual({
        response_status: 200,
        error: null,
        next_attempt_at: null,
      });
      // An attempt whose worker was killed before it had recorded it is known to the receiver only.
      expect(attempts).toBeLessThanOrEqual(seen.get(event_id) ?? 0);
      expect(attempts).toBeGreaterThanOrEqual(1);
    }
  }, 3_600_000);
});
