import type { listSuppressionRoute } from '../../contract/routes/suppression.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import type { Call, Reply } from '../../http/call.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { findSuppressions, pageOfSuppressions, type Suppression } from '../../store/person/suppression.ts';
import { suppressionRecord } from './record.ts';

/** The workspace's list; or what both lists say of one address, which is the only way to see the platform's. */
export async function listSuppression({ caller, query }: Call<typeof listSuppressionRoute>): Promise<Reply> {
  const email = query.email === undefined ? undefined : (canonicalAddress(query.email) ?? undefined);
  const scope = { workspaceId: caller.workspaceId, list: 'suppression', filters: { email } };
  const after = await decodeCursor<string>(scope, query.cursor);
  const page = email
    ? { entries: ownFirst(await findSuppressions(caller.workspaceId, [email])), next: null }
    : await pageOfSuppressions(caller.workspaceId, { limit: query.limit, after });
  return {
    status: 200,
    body: {
      object: 'list',
      data: page.entries.map(suppressionRecord),
      has_more: page.next !== null,
      next_cursor: await encodeCursor(scope, page.next),
    },
  };
}

const ownFirst = (entries: Suppression[]): Suppression[] =>
  entries.sort((a, b) => Number(a.scope === 'platform') - Number(b.scope === 'platform'));
