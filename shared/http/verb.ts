import type { Input, Page, Result, Route } from '../contract/route.ts';
import type { Context, KeyActor, PublicContext, Verb } from '../services/context.ts';
import type { Call, Reply } from './call.ts';
import type { CursorScope } from './cursor.ts';

/** How cursors are read and written (cursor.ts): only paged routes carry it, since it needs the service secret. */
export interface Cursors {
  encodeCursor(scope: CursorScope, position: string | null): Promise<string | null>;
  decodeCursor(scope: CursorScope, cursor: string | undefined): Promise<string | undefined>;
}

/** Calls a verb with what a request says and gives its result status, headers and, for a list, the cursor. */
export async function answer<R extends Route>(route: R, verb: Verb<R>, call: Call, cursors?: Cursors): Promise<Reply> {
  const input = await inputOf(call, cursors);
  const result = await verb(contextOf(call) as Parameters<Verb<R>>[0], input as Input<R>);
  return replyOf(route, result, call, cursors);
}

function contextOf({ caller, language, now, requestId }: Call): Context<KeyActor> | PublicContext {
  const own = { language, now, requestId };
  return caller ? { ...own, actor: caller, workspaceId: caller.workspaceId } : own;
}

/** Every part of the request in one object; headers in camelCase, a cursor as the position that it stands for. */
async function inputOf(call: Call, cursors?: Cursors): Promise<Record<string, unknown>> {
  const { path, query, headers, body } = call.request;
  const named = Object.entries(headers ?? {}).map(([name, value]) => [camelCase(name), value]);
  const { cursor, ...asked } = query ?? {};
  const position = cursors ? { after: await cursors.decodeCursor(scopeOf(call), cursor as string | undefined) } : {};
  return { ...path, ...asked, ...position, ...Object.fromEntries(named), ...body };
}

const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export const isPaged = ({ request }: Route): boolean => Object.hasOwn(request.query?.shape ?? {}, 'cursor');

/** A cursor is worth something for this workspace, this list and these filters only. */
function scopeOf({ route, request, caller }: Call): CursorScope {
  const { limit: _limit, cursor: _cursor, ...filters } = { ...request.path, ...request.query };
  return { workspaceId: caller?.workspaceId ?? '', list: route.id, filters };
}

async function replyOf<R extends Route>(route: R, result: Result<R>, call: Call, cursors?: Cursors): Promise<Reply> {
  if (isPage(result)) {
    const next = cursors ? await cursors.encodeCursor(scopeOf(call), result.next) : null;
    const body = { object: 'list', data: result.entries, has_more: next !== null, next_cursor: next };
    return { status: statusOf(route), body };
  }
  if (!route.outcomes) return { status: statusOf(route), body: result };
  const { outcome, output } = result as { outcome: string; output: unknown };
  const { status, headers = {} } = route.outcomes[outcome] ?? { status: statusOf(route) };
  return { status, headers, body: output };
}

const statusOf = ({ responses }: Route): number => responses[0]?.status ?? 200;

/** No answer of the contract has a field `entries`. */
const isPage = (result: unknown): result is Page<unknown> =>
  typeof result === 'object' && result !== null && 'entries' in result && 'next' in result;
