import { jest } from '@jest/globals';
import { startProvider, type TestProvider } from '../../platform/aws/provider.ts';
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
  ...(await import('../../../../shared/domain/person/confirmation.ts')),
  ...(await import('../../../../shared/services/confirmations/send.ts')),
  ...(await import('../../../../shared/services/subscribers/change.ts')),
  ...(await import('../../../../shared/services/workspaces/create.ts')),
  ...(await import('../../../../shared/store/person/people.ts')),
  ...(await import('../../../../shared/store/table/table.ts')),
  ...(await import('../../../../shared/store/workspace/senders.ts')),
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
    WEBHOOK_DELIVERY_QUEUE_URL: engines.queues['webhook-delivery']?.url ?? '',
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
afterEach(() => jest.restoreAllMocks());

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

/** While it lasts, the table takes nothing but changes of what stands: no link, no attempt. */
function breakPuts() {
  const send = verbs.documents.send.bind(verbs.documents);
  return jest.spyOn(verbs.documents, 'send').mockImplementation((command) => {
    const { Item = {} } = command.input as { Item?: object };
    const isRefused = command.operation === 'PutItem' && !('confirmation' in Item);
    return isRefused ? Promise.reject(new Error('The table is away.')) : send(command);
  });
}

it('goes out when the table is back, however many workers have failed before they asked the provider', async () => {
  const { send, confirmation } = await owed('ada@people.example');
  const broken = breakPuts();
  for (const at of [0, 6, 12]) await expect(send(minute(at))).rejects.toThrow('The table is away.');
  expect(broken).toHaveBeenCalled();
  expect(asked).toBe(0);
  broken.mockRestore();
  await send(minute(18));
  await send(minute(24));
  expect(asked).toBe(1);
  expect(await confirmation()).toMatchObject({ sentAt: minute(18).toISOString(), dueAt: null });
});
