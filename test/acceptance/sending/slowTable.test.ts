import { randomUUID } from 'node:crypto';
import { draft, follow, importPeople, send, show, untilSent } from '../campaigns/campaign.ts';
import { type Answer, call, eventually } from '../client.ts';
import { countsOf, inbox } from '../inbox.ts';
import { type OwnService, startService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';
import { type HeldDatabase, startHeldDatabase } from './heldDatabase.ts';

/*
 * The table answers a look at the people later than two seconds after it was asked for, with what stood there before. Who
 * has left meanwhile gets nothing: the look is too old for a call to SES, and they are looked at again.
 */

let database: HeldDatabase;
let service: OwnService;
let workspace: TestWorkspace;

beforeAll(async () => {
  database = await startHeldDatabase();
  const env = { AWS_ENDPOINT_URL_DYNAMODB: database.endpoint, CAMPAIGN_LOOK_AGAIN_SECONDS: '1' };
  service = await startService({ env });
  workspace = await newWorkspace(service);
});
afterEach(() => database.letGo());
afterAll(async () => {
  await service?.stop();
  await database?.stop();
});

const tooLate = 2300;
const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;
const api = () => ({ ...service, apiKey: workspace.apiKey });
const mail = (to: string, over: object = {}): Promise<Answer> =>
  call(api(), 'POST', '/api/v1/emails', {
    body: { from: `a@${workspace.domain}`, to, subject: 'S', text: 'T', ...over },
  });
const leave = async (email: string) => {
  const { status } = await call(api(), 'POST', '/api/v1/suppression', { body: { email } });
  expect(status).toBe(201);
};
const isLookAt = (operation: string, body: string, email: string) =>
  operation === 'BatchGetItem' && body.includes(email);

/** The next looks at a person, as many as `most`, are answered too late. */
const delayLooks = (email: string, most: number) => {
  database.delayAnswers((operation, body) =>
    isLookAt(operation, body, email) && database.answersLate() < most ? tooLate : 0,
  );
};
const oneIsLate = () => eventually(async () => database.answersLate() > 0);

describe('a single email', () => {
  it('goes to nobody who left while the table was answering', async () => {
    const to = someone();
    delayLooks(to, 1);
    const sent = mail(to);
    await oneIsLate();
    await leave(to);
    const { status, body } = await sent;
    expect([status, body.name]).toEqual([422, 'suppressed_recipient']);
    expect(await inbox(service, to)).toEqual([]);
  });

  it('waits for a later call when the table stays slow: 503, nothing sent, nothing taken', async () => {
    const to = someone();
    const key = { 'Idempotency-Key': randomUUID() };
    const remaining = async () => (await call(api(), 'GET', '/api/v1/me')).body.emails_remaining;
    const before = await remaining();
    delayLooks(to, Number.POSITIVE_INFINITY);
    const again = () =>
      call(api(), 'POST', '/api/v1/emails', {
        body: { from: `a@${workspace.domain}`, to, subject: 'S', text: 'T' },
        headers: key,
      });
    const { status, body, headers } = await again();
    expect([status, body.name, body.error.details.reason]).toEqual([503, 'internal_error', 'unavailable']);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    expect([await inbox(service, to), await remaining()]).toEqual([[], before]);
    database.letGo();
    expect((await again()).status).toBe(202);
    expect([(await inbox(service, to)).length, await remaining()]).toEqual([1, before - 1]);
  });

  it('that is scheduled goes to nobody who left while the table was answering at its time', async () => {
    const to = someone();
    const { body } = await mail(to, { scheduled_at: new Date(Date.now() + 1500).toISOString() });
    delayLooks(to, 1);
    await oneIsLate();
    await leave(to);
    const found = await eventually(async () => {
      const { body: email } = await call(api(), 'GET', `/api/v1/emails/${body.id}`);
      return email.status === 'canceled' && email;
    });
    expect(JSON.stringify(found)).toContain('suppressed_recipient');
    expect(await inbox(service, to)).toEqual([]);
  });
});

describe('a campaign', () => {
  const isLook = (operation: string, body: string) => operation === 'BatchGetItem' && body.includes('"PACE"');

  /** A campaign to sixty people whose looks, as many as `most`, are answered too late. */
  async function underWay(most: number) {
    const emails = Array.from({ length: 60 }, someone);
    workspace = await newWorkspace(service);
    await importPeople(service, workspace.workspaceId, emails);
    const id = await draft(api());
    database.delayAnswers((operation, body) =>
      isLook(operation, body) && database.answersLate() < most ? tooLate : 0,
    );
    expect((await send(api(), id)).body.queued).toBe(60);
    return { id, emails };
  }

  it('reaches nobody who left while the table was answering, and everybody else once', async () => {
    const { id, emails } = await underWay(2);
    await oneIsLate();
    const gone = emails.slice(0, 5);
    await Promise.all(gone.map(leave));
    const { progress } = await untilSent(api(), id);
    expect(progress).toMatchObject({ sent: 55, skipped: 5, uncertain: 0 });
    expect(await countsOf(service, emails)).toEqual(emails.map((_, index) => (index < 5 ? 0 : 1)));
  });

  it('waits with its reason after three slow looks, and goes on by itself', async () => {
    const { id, emails } = await underWay(Number.POSITIVE_INFINITY);
    const held = await follow(api(), id, ({ progress }) => progress.paused, 60);
    expect(held.progress).toMatchObject({ reason: 'store_slow', sent: 0, waiting: 60, rate: null });
    await leave(emails[59] ?? '');
    expect((await show(api(), id)).status).toBe('sending');
    database.letGo();
    const { progress } = await untilSent(api(), id);
    expect(progress).toMatchObject({ sent: 59, skipped: 1 });
    expect(await countsOf(service, emails)).toEqual(emails.map((_, index) => (index === 59 ? 0 : 1)));
  });
});
