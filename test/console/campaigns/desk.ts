import { call } from '../../acceptance/client.ts';
import type { TestService } from '../../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../../acceptance/workspace.ts';
import { type Visitor, visitorOf } from '../visitor.ts';

export const hostile = '<img src=x onerror="document.title=`ran`">';

export const idOf = (location: string | null): string => /camp_\w+/.exec(location ?? '')?.[0] ?? '';

export const people = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `p${index}-${Math.random().toString(36).slice(2, 8)}@people.example`);

/** A workspace of its own, and an editor who sits before its console. */
export async function newDesk(service: TestService) {
  const workspace = await newWorkspace(service);
  const editor = await visitorOf(service, { role: 'editor', name: 'Grace' });
  return deskOf(service, workspace, editor);
}

export type Desk = Awaited<ReturnType<typeof newDesk>>;

function deskOf(service: TestService, workspace: TestWorkspace, editor: Visitor) {
  const place = (path = '') => `/console/${workspace.workspaceId}/campaigns${path}`;
  const api = { ...service, apiKey: workspace.apiKey };

  /** Posts a form of a page with the token and the hidden fields that the page gave it. */
  async function post(path: string, fields: Record<string, string>, action = path.replace(/\?.*/, '')) {
    const { text } = await editor.get(path);
    const hidden = [...text.matchAll(/<input type="hidden" name="(form_token|revision|count|once)" value="([^"]*)"/g)];
    const given = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    return editor.post(action, { ...given, ...fields });
  }

  /** What the editor's form sends of a message of one paragraph. */
  const formOf = (over: Record<string, string> = {}) => ({
    name: 'News',
    subject: 'Hello',
    from: `hello@${workspace.domain}`,
    shared: 'yes',
    'content[0].type': 'paragraph',
    'content[0].text': 'News of {{firstName|you}}.',
    do: 'save',
    ...over,
  });

  async function begun(): Promise<string> {
    const { headers } = await post(place('/add'), { name: 'News', subject: 'Hello' });
    return idOf(headers.get('location'));
  }

  const shown = async (id: string) => (await call(api, 'GET', `/api/v1/campaigns/${id}`)).body;

  return { workspace, editor, place, api, post, formOf, begun, shown };
}
