import { randomUUID } from 'node:crypto';
import { auditPeople } from '../audit.ts';
import { ageConfirmationClaims } from '../claims.ts';
import { afterSome, call, eventually } from '../client.ts';
import { countsOf, setFaults } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';

const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;
const path = (email: string) => `/api/v1/subscribers/${encodeURIComponent(email)}`;

/** One request, which fails while the service is down. */
async function attempt(service: TestService, method: string, url: string, body?: object): Promise<number> {
  try {
    return (await call(service, method, url, body ? { body } : {})).status;
  } catch {
    return 0;
  }
}

/** The services on the table of the last start; imported once the endpoints are final. */
async function inside(service: TestService) {
  Object.assign(process.env, service.environment);
  return import('../../../shared/services/sweep/requeue.ts');
}

/** Waits until the feedback of a message that is sent now is recorded, and all earlier feedback with it. */
async function eventAfter(service: TestService): Promise<void> {
  const body = { from: 'hello@example.com', to: someone(), subject: 'S', text: 'T' };
  const { id } = (await call(service, 'POST', '/api/v1/emails', { body })).body;
  await eventually(async () => (await call(service, 'GET', `/api/v1/emails/${id}`)).body.status === 'delivered');
}

describe('kill -9 in the middle of sign-ups, changes and departures', () => {
  it('keeps people consistent with their index entries and suppressions, and sends every confirmation once', async () => {
    let service = await startService();
    const { dataDir } = service;
    const asked: string[] = [];
    try {
      for (let round = 0; round < 3; round += 1) {
        const fresh = Array.from({ length: 25 }, someone);
        const settled = Array.from({ length: 12 }, someone);
        await Promise.all(
          settled.map((email) => attempt(service, 'POST', '/api/v1/subscribers', { email, double_opt_in: false })),
        );
        await setFaults(service, round === 1 ? { drop_after_accept: true } : { latency_ms: 30 });
        const calls = [
          ...fresh.map((email) => attempt(service, 'POST', '/api/v1/subscribers', { email, firstName: 'A B C' })),
          ...settled.map((email, n) =>
            n % 3 === 0
              ? attempt(service, 'DELETE', path(email))
              : n % 3 === 1
                ? attempt(service, 'POST', '/api/v1/suppression', { email })
                : attempt(service, 'POST', '/api/v1/subscribers', { email, lastName: 'D E F' }),
          ),
        ];
        asked.push(...fresh);
        await afterSome(calls, 5 + round * 10);
        await service.kill();
        await Promise.all(calls);
        service = await startService({ dataDir });
        expect((await auditPeople(service)).problems).toEqual([]);
      }
      await setFaults(service);
      const restarted = new Date();
      const stored = await storedOf(service, asked);
      expect(stored.length).toBeGreaterThan(0);
      await eventAfter(service);
      await ageConfirmationClaims(service, stored, restarted);
      const { sweepDueConfirmations } = await inside(service);
      await sweepDueConfirmations(new Date(Date.now() + 7 * 60_000));
      await eventually(async () => !(await countsOf(service, stored)).includes(0));
      const counts = await countsOf(service, asked);
      expect(asked.filter((_, index) => Number(counts[index]) > 1)).toEqual([]);
      expect((await auditPeople(service)).problems).toEqual([]);
    } finally {
      await service.stop();
    }
  }, 180_000);
});

async function storedOf(service: TestService, emails: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    emails.map(async (email) => ((await call(service, 'GET', path(email))).status === 200 ? [email] : [])),
  );
  return found.flat();
}
