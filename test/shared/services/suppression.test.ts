import { startProvider, type TestProvider } from '../platform/aws/provider.ts';
import { operatorContext } from './context.ts';
import { startQueuesAndTable } from './queuesAndTable.ts';

let engines: Awaited<ReturnType<typeof startQueuesAndTable>>;
let provider: TestProvider;
let verbs: Awaited<ReturnType<typeof load>>;
let workspaceId: string;
let other: string;
let deletions: string[] = [];

const load = async () => ({
  ...(await import('../../../shared/services/suppression.ts')),
  ...(await import('../../../shared/services/workspaces/workspaces.ts')),
});

beforeAll(async () => {
  provider = await startProvider((request, response) => {
    if (request.method === 'DELETE') deletions.push(decodeURIComponent(request.url?.split('/').at(-1) ?? ''));
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  engines = await startQueuesAndTable();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SESV2: provider.endpoint,
    WEBHOOK_DELIVERY_QUEUE_URL: engines.queues['webhook-delivery']?.url ?? '',
  });
  verbs = await load();
  const made = ['One', 'Two'].map((name) =>
    verbs.createWorkspace(operatorContext(), { name, plan: 'free', language: 'en' }),
  );
  [workspaceId, other] = (await Promise.all(made)).map(({ id }) => id) as [string, string];
});
afterAll(() => Promise.all([engines.stop(), provider.stop()]));
beforeEach(() => {
  deletions = [];
});

const now = new Date();
const remove = (email: string) => verbs.removeSuppression(operatorContext(workspaceId), { email });

it('an address on both lists is listed with the workspace’s own entry first', async () => {
  const email = 'both@example.net';
  await verbs.suppress(workspaceId, email, 'bounce', now);
  await verbs.suppress(null, email, 'complaint', now);
  const { entries } = await verbs.listSuppression(operatorContext(workspaceId), { email, limit: 10, after: undefined });
  expect(entries.map(({ scope }) => scope)).toEqual(['organization', 'platform']);
});

describe('an address that is taken off the list of a workspace', () => {
  it('is left at SES when the workspace does not have it', async () => {
    const email = 'foreign@example.net';
    await verbs.suppress(other, email, 'complaint', now);
    await expect(remove(email)).rejects.toMatchObject({ code: 'not_found' });
    await expect(verbs.removeFromPlatform(operatorContext(), { email })).rejects.toMatchObject({ code: 'not_found' });
    expect(deletions).toEqual([]);
  });

  it.each(['bounce', 'complaint'] as const)('is left at SES when another workspace has a %s of it', async (reason) => {
    const email = `${reason}@example.net`;
    await verbs.suppress(workspaceId, email, 'bounce', now);
    await verbs.suppress(other, email, reason, now);
    expect(await remove(email)).toMatchObject({ deleted: true, reason: 'bounce', kept_at_ses: true });
    expect(deletions).toEqual([]);
    await expect(remove(email)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is left at SES when the platform has it', async () => {
    const email = 'platform@example.net';
    await verbs.suppress(workspaceId, email, 'bounce', now);
    await verbs.suppress(null, email, 'bounce', now);
    expect(await remove(email)).toMatchObject({ deleted: true, kept_at_ses: true });
    expect(deletions).toEqual([]);
    await verbs.removeFromPlatform(operatorContext(), { email });
    expect(deletions).toEqual([email]);
  });

  it('is removed at SES too when it is only known as unsubscribed elsewhere', async () => {
    const email = 'own@example.net';
    await verbs.suppress(workspaceId, email, 'bounce', now);
    await verbs.suppress(other, email, 'unsubscribe', now);
    expect(await remove(email)).toMatchObject({ deleted: true, kept_at_ses: false });
    expect(deletions).toEqual([email]);
  });
});
