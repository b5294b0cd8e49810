import type { LinkPurpose, LinkSubject } from '../../shared/domain/token.ts';
import { eventually } from '../acceptance/client.ts';
import { sharedService, type TestService } from '../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../acceptance/workspace.ts';

/** A running service with a workspace whose pages are looked at. */
export interface World {
  readonly service: TestService;
  readonly workspace: TestWorkspace;
  readonly formUrl: string;
  /** A genuine link, as the service signs it. */
  link(purpose: LinkPurpose, subject: Partial<LinkSubject> & { email: string }, issuedAt?: Date): Promise<string>;
  /** The newest confirmation link that an address was sent, once there are `count` messages for it. */
  confirmationLink(email: string, count?: number): Promise<string>;
  /** The link by which somebody who has declined confirmations has them again. */
  returnLink(email: string): Promise<string>;
}

export async function startWorld(): Promise<World> {
  const service = await sharedService();
  return worldOf(service, await newWorkspace(service));
}

/** The pages of another workspace of a running service. */
export async function worldOf(service: TestService, workspace: TestWorkspace): Promise<World> {
  const [{ createLink }, { getWorkspace }] = await Promise.all([
    import('../../shared/services/links.ts'),
    import('../../shared/store/workspace/workspaces.ts'),
  ]);
  const found = await getWorkspace(workspace.workspaceId);
  return {
    service,
    workspace,
    formUrl: `${service.baseUrl}/join/${found?.publicId}`,
    link: (purpose, subject, issuedAt = new Date()) =>
      createLink(purpose, { workspaceId: workspace.workspaceId, ...subject }, issuedAt),
    confirmationLink: (email, count = 1) => newestLink(service, email, 'confirm', count),
    returnLink: (email) => newestLink(service, email, 'not-me', 2),
  };
}

async function newestLink(service: TestService, email: string, page: string, count: number): Promise<string> {
  const newest = await eventually(async () => {
    const messages = await messagesTo(service, email);
    return messages.length >= count ? messages[0] : null;
  });
  const detail = await fetch(`${service.sesEndpoint}/_inbox/messages/${newest.id}`);
  const { text } = (await detail.json()) as { text: string };
  const [link] = new RegExp(`${service.baseUrl}/${page}/[\\w.-]+`).exec(text) ?? [];
  if (!link) throw new Error(`The message holds no such link: ${text}`);
  return link;
}

/** What the local inbox holds for an address, newest first. */
export async function messagesTo(service: TestService, email: string): Promise<{ id: string; subject: string }[]> {
  const answer = await fetch(`${service.sesEndpoint}/_inbox/messages?to=${encodeURIComponent(email)}`);
  return ((await answer.json()) as { data: { id: string; subject: string }[] }).data;
}

/** The token that a form carries: it is posted with the form. */
async function formTokenOf(formUrl: string): Promise<string> {
  const [, token = ''] = /name="form_token" value="([^"]*)"/.exec(await (await fetch(formUrl)).text()) ?? [];
  return token;
}

/** Posts a sign-up form as a browser does: with what the form carries. */
export const postForm = async (formUrl: string, fields: Record<string, string>): Promise<Response> => {
  const body = new URLSearchParams({ ...fields, form_token: await formTokenOf(formUrl) });
  return fetch(formUrl, { method: 'POST', body, redirect: 'manual' });
};
