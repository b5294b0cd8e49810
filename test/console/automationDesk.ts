import { call } from '../acceptance/client.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../acceptance/workspace.ts';
import { type Visitor, visitorOf } from './visitor.ts';

export const hostile = '"><img src=x onerror=alert(1)><script>alert(1)</script>';

export const line = {
  steps: [
    { key: 'start', type: 'trigger', config: { source: 'subscribed' } },
    { key: 'hello', type: 'send_email', config: { subject: 'Hello', text: 'Hello' } },
    { key: 'end', type: 'exit', config: {} },
  ],
  connections: [
    { from: 'start', to: 'hello' },
    { from: 'hello', to: 'end' },
  ],
};

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** The words of a page in one line. */
export const wordsOf = (text: string) => text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

/** The console's section on automations as an editor uses it, without a script, in a service for the tests of a file. */
export function automationDesk() {
  let service: TestService;
  let workspace: TestWorkspace;
  let visitor: Visitor;
  beforeAll(async () => {
    service = await startService();
    workspace = await newWorkspace(service);
    visitor = await visitorOf(service, { role: 'editor', workspaceId: workspace.workspaceId });
  });
  afterAll(() => service.stop());

  const place = (path = '') => `/console/${workspace.workspaceId}${path}`;
  const api = async (method: string, path: string, body?: object) =>
    (await call({ ...service, apiKey: workspace.apiKey }, method, `/api/v1${path}`, { body })).body;
  const read = (id: string) => api('GET', `/automations/${id}`);
  return {
    place,
    api,
    read,
    service: () => service,
    workspace: () => workspace,
    visitor: () => visitor,
    get: (path: string) => visitor.get(place(path)),
    /** The token is that of the session, wherever it was read. */
    post: async (path: string, fields: Fields) =>
      visitor.post(place(path), { form_token: await visitor.formToken(place('/automations')), ...fields }),
    automationOf: async (definition: object = line): Promise<string> =>
      (await api('POST', '/automations', { name: 'Trial', ...definition })).id,
    configOf: async (id: string, key: string) =>
      (await read(id)).steps.find((step: { key: string }) => step.key === key)?.config,
    linesOf: async (id: string): Promise<string[]> =>
      (await read(id)).connections.map(({ from, to, type }: Record<string, string>) => `${from} ${type} ${to}`),
  };
}
