import { createHash } from 'node:crypto';
import { ValidationError } from '../contract/errors.ts';
import { sign, verify } from '../platform/secret.ts';

/** What a cursor is bound to: it is worth nothing for another workspace, list or filter. */
export interface CursorScope {
  readonly workspaceId: string;
  readonly list: string;
  readonly filters: Readonly<Record<string, unknown>>;
}

/** An opaque cursor for a position in a list; null position (the last page) gives null. */
export async function encodeCursor(scope: CursorScope, position: string | null): Promise<string | null> {
  if (position === null) return null;
  const payload = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${payload}.${await sign('cursors', signed(scope, payload))}`;
}

/** The position behind a cursor; `validation_error` when it was altered or belongs elsewhere. */
export async function decodeCursor(scope: CursorScope, cursor: string | undefined): Promise<string | undefined> {
  if (cursor === undefined) return undefined;
  const [payload = '', signature = '', ...rest] = cursor.split('.');
  if (rest.length > 0 || !(await verify('cursors', signed(scope, payload), signature))) {
    throw new ValidationError([
      {
        path: 'cursor',
        text: {
          en: 'is not a cursor of this list with these filters',
          fr: 'n’est pas un curseur de cette liste avec ces filtres',
        },
      },
    ]);
  }
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as string;
}

function signed(scope: CursorScope, payload: string): string {
  const filters = Object.entries(scope.filters).filter(([, value]) => value !== undefined);
  const bound = JSON.stringify([scope.workspaceId, scope.list, filters.sort()]);
  return `${createHash('sha256').update(bound).digest('base64url')}.${payload}`;
}
