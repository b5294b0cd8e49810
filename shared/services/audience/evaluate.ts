import type { Input, Output } from '../../contract/route.ts';
import type { evaluateAudienceRoute } from '../../contract/routes/audience.ts';
import type { Context } from '../context.ts';
import { breakDown, shownBreakdown } from './breakdown.ts';
import { countAudience } from './count.ts';

/**
 * Whom a campaign would reach: everybody, or those of a list. An empty list is a list of nobody and gets zeros; to refuse
 * it is for the send, which would be one to nobody, while asking harms nothing.
 */
export async function evaluateAudience(
  { workspaceId, now }: Context,
  { to }: Input<typeof evaluateAudienceRoute>,
): Promise<Output<typeof evaluateAudienceRoute>> {
  if (to === undefined) {
    const recipients = await countAudience({ workspaceId, rule: null, to: null }, now);
    return { object: 'audience', recipients, audience: null };
  }
  const audience = shownBreakdown(await breakDown({ workspaceId, rule: null, to }, now));
  return { object: 'audience', recipients: audience.retained, audience };
}
