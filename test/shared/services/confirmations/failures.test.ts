import { startProvider, type TestProvider } from '../../platform/aws/provider.ts';
import { aroundCalls } from '../../store/aroundCalls.ts';
import { operatorContext } from '../context.ts';
import { startQueuesAndTable } from '../queuesAndTable.ts';

let engines: Awaited<ReturnType<typeof startQueuesAndTable>>;
let provider: TestProvider;
let verbs: Awaited<ReturnType<typeof load>>;
let workspaceId: string;
let asked = 0;

const begin = new Date();
const minute = (count: number) => new Date(begin.getTime() + count * 60_000);

const load = async () => ({
  ...(await import('../../../../shared/domain/person/consent.ts')),
  ...(await import('../../../../shared/services/confirmations/sendConfirmation.ts')),
  ...(await import('../../../../shared/services/people.ts')),
  ...(await import('../../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../../shared/store/person/people.ts')),
  ...(await import('../../../../shared/store/table/table.ts')),
  ...(await import('../../../../shared/store/workspace/workspaces.ts')),
  ...(await import('../../../../shared/store/workspace/workspaces.ts')),
});

beforeAll(async () => {
  provider = await startProvider((_request, response) => {
    asked += 1;
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ MessageId: `message-${asked}` }));
  });
  engines = await startQueuesAndTable();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SESV2: provider.endpoint,
    CONFIGURATION_SET: 'mail',
    EMAIL_RETENTION_DAYS: '30',
    PUBLIC_URL: 'https://mail.example.com',
  });
  verbs = await load();
  ({ id: workspaceId } = await verbs.createWorkspace(operatorContext(), {
    name: 'Test',
    plan: 'free',
    language: 'en',
  }));
  await verbs.putDomain(workspaceId, 'example.com', begin, begin);
  const sender = { email: 'hello@example.com', name: null, default: true, createdAt: begin.toISOString() };
  await verbs.putSenders(workspaceId, [sender], begin);
});
afterAll(async () => {
  verbs.documents.destroy();
  await Promise.all([engines.stop(), provider.stop()]);
});
beforeEach(() => {
  asked = 0;
});

async function owed(email: string) {
  const { requestConfirmation, changePerson } = verbs;
  await changePerson({ workspaceId, email }, 'link', begin, ({ person }) => ({
    person: requestConfirmation(person, `confirmation-of-${email}`, begin),
    result: undefined,
  }));
  return {
    send: (at: Date) => verbs.sendConfirmation(workspaceId, email, at),
    confirmation: async () => (await verbs.getAddress(workspaceId, email)).person.confirmation,
  };
}

/** Meanwhile the table accepts updates only: no new link, no new attempt. */
function breakPuts() {
  const counts = { refused: 0 };
  const mend = aroundCalls(verbs.documents, (next) => async (call) => {
    const { Item = {} } = call.input as { Item?: object };
    if (call.operation !== 'PutItem' || 'confirmation' in Item) return next(call);
    counts.refused += 1;
    throw new Error('The table is unavailable.');
  });
  return { counts, mend };
}

it('sends a confirmation when the table is back, after any number of workers that failed before calling SES', async () => {
  const { send, confirmation } = await owed('ada@people.example');
  const { counts, mend } = breakPuts();
  for (const at of [0, 6, 12]) await expect(send(minute(at))).rejects.toThrow('The table is unavailable.');
  expect(counts.refused).toBeGreaterThan(0);
  expect(asked).toBe(0);
  mend();
  await send(minute(18));
  await send(minute(24));
  expect(asked).toBe(1);
  expect(await confirmation()).toMatchObject({ sentAt: minute(18).toISOString(), dueAt: null });
});
