import { probeAttempt } from '../../../domain/campaign/attempt.ts';
import { sendBulk } from '../../../email/bulk.ts';
import { feedbackTags } from '../../../email/feedbackTags.ts';
import { addSeconds } from '../../../platform/clock.ts';
import { logger } from '../../../platform/logger.ts';
import { mayProbe } from '../../../store/campaign/heard.ts';
import { type Flight, messageOf } from '../run/flight.ts';
import { lookAgainSeconds } from '../run/turn.ts';

/** The provider's own mailbox for tests: it delivers, and counts on no side of anybody's rates. */
const simulator = 'success@simulator.amazonses.com';
const callMilliseconds = 10_000;

/**
 * Sends the provider's simulator a message in the lane of campaigns. That of a call nothing is heard says something only
 * when later events came in, and after the last message of the last campaign there would be none: its doubts would stay
 * for a day. Once in a while for the whole deployment; what becomes of it nobody waits for.
 */
export async function probe(flight: Flight): Promise<void> {
  const { campaign, now } = flight;
  if (!(await mayProbe(now(), addSeconds(now(), -lookAgainSeconds())))) return;
  const { from } = await messageOf(flight, 0);
  // A position that nobody has: a release that knows no probes leaves its events alone.
  const origin = {
    kind: 'campaign',
    id: campaign.id,
    workspaceId: campaign.workspaceId,
    chunk: 0,
    position: -1,
  } as const;
  const entry = {
    email: simulator,
    data: {},
    headers: [],
    tags: feedbackTags({ ...origin, attempt: probeAttempt }, []),
  };
  const said = { subject: 'Probe', html: '<p>Probe</p>', text: 'Probe' };
  const tracking = { opens: false, clicks: false };
  const call = { from, ...said, data: {}, headers: [], tags: [], entries: [entry], tracking };
  const { kind } = await sendBulk(call, AbortSignal.timeout(callMilliseconds));
  logger.info('A probe was sent: nothing was heard of the provider since the last messages.', {
    campaign_id: campaign.id,
    answer: kind,
  });
}
