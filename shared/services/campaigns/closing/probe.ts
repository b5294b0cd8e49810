import { simulatorSuccess } from '../../../domain/address/address.ts';
import { sendBulk } from '../../../email/bulk.ts';
import { feedbackTags } from '../../../email/feedbackTags.ts';
import { addSeconds } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import { logger } from '../../../platform/logger.ts';
import { noteProbe } from '../../../store/campaign/heard.ts';
import { type Flight, messageOf } from '../run/flight.ts';

/** All campaigns together ask no more often than a few times in the time of a doubt. */
const probesOfDoubt = 4;
const callMilliseconds = 12_000;

/**
 * A message to the provider's simulator, for its events' sake. A campaign whose last calls broke has nobody left to send
 * to, so no later event would ever say that nothing was heard of them; this one's does. It reaches nobody and counts
 * neither for the day nor for the reputation (SES Developer Guide, "Using the mailbox simulator").
 */
export async function probe(flight: Pick<Flight, 'campaign' | 'freeze' | 'now'>): Promise<void> {
  const { campaign, now } = flight;
  const since = addSeconds(now(), -config('CAMPAIGN_DOUBT_SECONDS') / probesOfDoubt);
  if (!(await noteProbe(now(), since))) return;
  const { from } = await messageOf(flight, 0);
  const result = await sendBulk(
    {
      from,
      subject: 'Is feedback on its way?',
      html: '<p>The events of this message tell.</p>',
      text: 'The events of this message tell.',
      data: {},
      headers: [],
      tags: feedbackTags({ kind: 'probe', id: campaign.id, workspaceId: campaign.workspaceId }, []),
      entries: [{ email: simulatorSuccess, data: {}, headers: [], tags: [] }],
      tracking: { opens: false, clicks: false },
    },
    AbortSignal.timeout(callMilliseconds),
  );
  logger.info('Some calls of a campaign are in doubt: the provider was asked for a sign of life.', {
    workspace_id: campaign.workspaceId,
    campaign_id: campaign.id,
    result: result.kind,
  });
}
