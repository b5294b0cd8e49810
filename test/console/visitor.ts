import type { OperatorRole } from '../../shared/domain/workspace/workspace.ts';
import type { TestService } from '../acceptance/service.ts';
import { operatorContext } from '../shared/services/context.ts';

export interface LinkWanted {
  readonly name?: string;
  readonly role?: OperatorRole;
  /** The only workspace that they may enter. */
  readonly workspaceId?: string | null;
}

/** A link that signs somebody in, as the command line makes it. */
export async function signInLink(service: TestService, wanted: LinkWanted = {}): Promise<string> {
  Object.assign(process.env, service.environment);
  const { createSignInLink } = await import('../../shared/services/operators/linkSignIn.ts');
  const { name = 'Ada', role = 'owner', workspaceId = null } = wanted;
  return (await createSignInLink(operatorContext(), { name, role, workspaceId })).url;
}

/** Somebody with a session, who speaks HTTP as a browser does and can be told to lie. */
export interface Visitor {
  readonly cookie: string;
  get(path: string): Promise<Answer>;
  post(path: string, fields: Fields, headers?: Record<string, string>): Promise<Answer>;
  /** The token that a form of a page carries. */
  formToken(path: string): Promise<string>;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function visitorOf(service: TestService, wanted: LinkWanted = {}): Promise<Visitor> {
  const link = new URL(await signInLink(service, wanted));
  const stranger = visitorWith(service, '');
  const signedIn = await stranger.post(link.pathname, { token: link.searchParams.get('token') ?? '' });
  return visitorWith(service, signedIn.headers.get('set-cookie')?.split(';')[0] ?? '');
}

/** Whoever sends this cookie. */
export function visitorWith({ baseUrl }: TestService, cookie: string): Visitor {
  const ask = async (path: string, init: RequestInit, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await fetch(`${baseUrl}${path}`, { ...init, redirect: 'manual', headers: { cookie, ...headers } });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const get = (path: string) => ask(path, {});
  return {
    cookie,
    get,
    post: (path, fields, headers) =>
      ask(path, { method: 'POST', body: bodyOf(fields) }, { origin: baseUrl, ...headers }),
    formToken: async (path) => /name="form_token" value="([^"]+)"/.exec((await get(path)).text)?.[1] ?? '',
  };
}

function bodyOf(fields: Fields): URLSearchParams {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
  );
  return new URLSearchParams(pairs);
}
