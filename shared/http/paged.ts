import { createHash } from 'node:crypto';
import { ValidationError } from '../contract/errors.ts';
import type { Route } from '../contract/route.ts';
import { textsOf } from '../language/text.ts';
import { sign, verify } from '../platform/secret.ts';
import type { Verb } from '../services/context.ts';
import { type CursorScope, type Cursors, callVerb, endpoint, type HttpHandler } from './endpoint.ts';

const texts = textsOf({
  invalidCursor: {
    en: 'is not a cursor of this list with these filters',
    fr: 'n’est pas un curseur de cette liste avec ces filtres',
  },
});

/** The verb of a paged list as a Lambda handler. Its function needs the service secret, which signs the cursors. */
export function paged<R extends Route>(route: R, verb: Verb<R>): HttpHandler {
  return endpoint(route, (call) => callVerb(route, verb, call, cursors));
}

const cursors: Cursors = { encodeCursor, decodeCursor };

/** An opaque, signed cursor for a position in a list; null for null, which is the end of the list. */
export async function encodeCursor(scope: CursorScope, position: string | null): Promise<string | null> {
  if (position === null) return null;
  const payload = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${payload}.${await sign('cursors', signedText(scope, payload))}`;
}

/** The position in a cursor. Throws `validation_error` when it was altered or made for another scope. */
export async function decodeCursor(scope: CursorScope, cursor: string | undefined): Promise<string | undefined> {
  if (cursor === undefined) return undefined;
  const [payload = '', signature = '', ...rest] = cursor.split('.');
  if (rest.length > 0 || !(await verify('cursors', signedText(scope, payload), signature))) {
    throw new ValidationError([{ path: 'cursor', text: texts.invalidCursor }]);
  }
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as string;
}

function signedText(scope: CursorScope, payload: string): string {
  const filters = Object.entries(scope.filters).filter(([, value]) => value !== undefined);
  const bound = JSON.stringify([scope.workspaceId, scope.list, filters.sort()]);
  return `${createHash('sha256').update(bound).digest('base64url')}.${payload}`;
}
