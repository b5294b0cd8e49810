import type { Input, Result } from '../../contract/route.ts';
import type { listSuppressionRoute } from '../../contract/routes/suppression.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import type { Suppression } from '../../domain/person/suppression.ts';
import { findSuppressions, pageOfSuppressions } from '../../store/suppression/suppression.ts';
import type { Context } from '../context.ts';
import { shownSuppression } from './shown.ts';

/** The workspace's list; or what both lists say of one address, which is the only way to see the platform's. */
export async function listSuppression(
  { workspaceId }: Context,
  input: Input<typeof listSuppressionRoute>,
): Promise<Result<typeof listSuppressionRoute>> {
  const email = input.email === undefined ? null : canonicalAddress(input.email);
  const page = email
    ? { entries: ownFirst(await findSuppressions(workspaceId, [email])), next: null }
    : await pageOfSuppressions(workspaceId, { limit: input.limit, after: input.after });
  return { entries: page.entries.map(shownSuppression), next: page.next };
}

const ownFirst = (entries: Suppression[]): Suppression[] =>
  entries.sort((a, b) => Number(a.scope === 'platform') - Number(b.scope === 'platform'));
