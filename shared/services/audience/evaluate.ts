import type { evaluateAudienceRoute } from '../../contract/routes/audience.ts';
import type { Call, Reply } from '../../http/call.ts';
import { breakDown, breakdownRecord } from './breakdown.ts';
import { countAudience } from './count.ts';

/**
 * Whom a campaign would reach: everybody, or those of a list. An empty list is a list of nobody and gets zeros; to refuse
 * it is for the send, which would be one to nobody, while asking harms nothing.
 */
export async function evaluateAudience({ caller, body, now }: Call<typeof evaluateAudienceRoute>): Promise<Reply> {
  const { workspaceId } = caller;
  if (body.to === undefined) {
    const recipients = await countAudience(workspaceId, null, now);
    return { status: 200, body: { object: 'audience', recipients, audience: null } };
  }
  const audience = breakdownRecord(await breakDown(workspaceId, body.to));
  return { status: 200, body: { object: 'audience', recipients: audience.retained, audience } };
}
