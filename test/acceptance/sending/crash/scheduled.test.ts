import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { call, eventually } from '../../client.ts';
import { countsOf, setFaults } from '../../inbox.ts';
import { startService, type TestService } from '../../service.ts';

interface Scheduled {
  readonly id: string;
  readonly to: string;
  readonly at: number;
  /** True when a call was told that it was canceled. */
  isCanceled: boolean;
}

const count = 24;

async function schedule(service: TestService, seconds: number): Promise<Scheduled> {
  const to = `s${randomUUID().slice(0, 8)}@example.net`;
  const at = Date.now() + seconds * 1000;
  const body = {
    from: 'hello@example.com',
    to,
    subject: 'Once',
    text: 'Hi.',
    scheduled_at: new Date(at).toISOString(),
  };
  const answer = await call(service, 'POST', '/api/v1/emails', { body });
  return { id: answer.body.id, to, at, isCanceled: false };
}

/** Cancels some of them at the very moment at which they are sent; without an answer the outcome is open. */
async function cancelSome(service: TestService, emails: readonly Scheduled[]): Promise<void> {
  const calls = emails.map(async (email) => {
    await wait(Math.max(0, email.at - Date.now() + Math.random() * 600));
    const answer = await call(service, 'POST', `/api/v1/emails/${email.id}/cancel`).catch(() => null);
    if (answer?.status === 200) email.isCanceled = true;
  });
  await Promise.all(calls);
}

const mails = (service: TestService, emails: readonly { readonly to: string }[]): Promise<number[]> =>
  countsOf(
    service,
    emails.map(({ to }) => to),
  );
const statusOf = async (service: TestService, { id }: Scheduled): Promise<string> =>
  (await call(service, 'GET', `/api/v1/emails/${id}`)).body.status;

/** Makes the claims of crashed workers five minutes older, and due: SES's events are waited for no longer then. */
async function age(service: TestService, emails: readonly Scheduled[]): Promise<void> {
  Object.assign(process.env, service.environment);
  const { UpdateCommand } = await import('@aws-sdk/lib-dynamodb');
  const { documents, tableName } = await import('../../../../shared/store/table/table.ts');
  const { scheduledKey } = await import('../../../../shared/store/table/keys.ts');
  const { sweepDueScheduled } = await import('../../../../shared/services/sweep/requeue.ts');
  for (const { id } of emails) {
    const update = new UpdateCommand({
      TableName: tableName(),
      Key: scheduledKey(service.workspaceId, id),
      UpdateExpression: 'SET claimed_at = claimed_at - :age',
      ConditionExpression: '#state = :sending AND claimed_at > :recent',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':age': 301_000, ':sending': 'sending', ':recent': Date.now() - 300_000 },
    });
    await documents.send(update).catch((error: Error) => {
      if (error.name !== 'ConditionalCheckFailedException') throw error;
    });
  }
  await sweepDueScheduled(new Date(Date.now() + 120_000));
}

describe('kill -9 while a batch is scheduled', () => {
  it('leaves nothing that a retry under the same key does not repair, and each is sent once', async () => {
    let service = await startService();
    const { dataDir } = service;
    const rounds: { key: string; body: { to: string }[]; ids: string[] }[] = [];
    try {
      for (const milliseconds of [15, 40, 80]) {
        const key = randomUUID();
        const at = new Date(Date.now() + 30_000).toISOString();
        const body = Array.from({ length: 40 }, () => ({
          from: 'hello@example.com',
          to: `b${randomUUID().slice(0, 8)}@example.net`,
          subject: 'Once',
          text: 'Hi.',
          scheduled_at: at,
        }));
        const options = { body, headers: { 'Idempotency-Key': key } };
        const lost = call(service, 'POST', '/api/v1/emails/batch', options).catch(() => null);
        await wait(milliseconds);
        await service.kill();
        await lost;
        service = await startService({ dataDir });
        const { body: answer } = await eventually(async () => {
          const again = await call(service, 'POST', '/api/v1/emails/batch', options);
          return again.status === 202 && again;
        });
        rounds.push({ key, body, ids: answer.data.map(({ id }: { id: string }) => id) });
        expect(new Set(rounds.at(-1)?.ids).size).toBe(40);
      }
      const all = rounds.flatMap(({ body }) => body);
      await eventually(async () => !(await mails(service, all)).includes(0), 240);
      await wait(3000);
      expect((await mails(service, all)).filter((count) => count !== 1)).toEqual([]);
    } finally {
      await service.stop();
    }
  }, 600_000);
});

describe('kill -9 while scheduled emails are sent and canceled', () => {
  it('sends or cancels each once, and never both', async () => {
    let service = await startService();
    const { dataDir } = service;
    const emails: Scheduled[] = [];
    try {
      for (const _ of [1, 2]) {
        await setFaults(service, { latency_ms: 60 });
        const own = await Promise.all(Array.from({ length: count }, (_, index) => schedule(service, 3 + index / 8)));
        emails.push(...own);
        const canceling = cancelSome(
          service,
          own.filter((_, index) => index % 2 === 0),
        );
        await wait(3500 + Math.random() * 1500);
        await service.kill();
        await canceling;
        service = await startService({ dataDir });
      }
      await eventually(async () => {
        // The Send events of what was accepted come before the rest is sent again.
        const counts = await mails(service, emails);
        const known = emails.map(async (email, index) => {
          if (counts[index] === 0) return true;
          return !['scheduled', 'canceled'].includes(await statusOf(service, email));
        });
        return (await Promise.all(known)).every(Boolean);
      }, 240);
      await eventually(async () => {
        await age(service, emails);
        await wait(2000);
        const states = await Promise.all(emails.map((email) => statusOf(service, email)));
        return states.every((state) => state !== 'scheduled');
      }, 240);
      const counts = await mails(service, emails);
      const found = await Promise.all(
        emails.map(async (email, index) => ({
          got: counts[index],
          isCanceled: (await statusOf(service, email)) === 'canceled',
        })),
      );
      expect(found).toEqual(found.map(({ isCanceled }) => ({ got: isCanceled ? 0 : 1, isCanceled })));
      expect(emails.filter(({ isCanceled }, index) => isCanceled && !found[index]?.isCanceled)).toEqual([]);
      expect(found.some(({ isCanceled }) => isCanceled)).toBe(true);
      expect(found.some(({ got }) => got === 1)).toBe(true);
    } finally {
      await service.stop();
    }
  }, 600_000);
});
