import { ValidationError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { scheduleCampaignRoute } from '../../contract/routes/campaignSteering.ts';
import { inZone, parseWallTime, shownInZone } from '../../domain/zonedTime.ts';
import type { Text } from '../../language/text.ts';
import type { Context } from '../context.ts';
import { requireOpenSending } from '../sendingHold.ts';
import { checkCampaign, checkRevision } from './internal/checks.ts';
import { shownTarget } from './internal/target.ts';
import { findCampaign } from './readCampaigns.ts';
import { scheduleCampaign } from './scheduleCampaign.ts';
import { countRecipients } from './sendCampaign.ts';

/**
 * Schedules a draft, or moves a scheduled campaign, if a send would be accepted now. Counts the whole audience: 40 read
 * units for a thousand people.
 */
export async function scheduleByTime(
  context: Context,
  { id, scheduled_at, time_zone, revision }: Omit<Input<typeof scheduleCampaignRoute>, 'idempotencyKey'>,
): Promise<Output<typeof scheduleCampaignRoute>> {
  const at = momentOf(scheduled_at, time_zone);
  checkDistance(at, context.now);
  const campaign = await findCampaign(context.workspaceId, id);
  checkRevision(campaign, revision);
  const checked = await checkCampaign(context, campaign, undefined, 'scheduled');
  const recipients = await countRecipients(context, checked, at);
  await requireOpenSending();
  await scheduleCampaign(context, { id, at, mayMove: true, ...(revision !== undefined && { revision }) });
  return {
    id,
    object: 'campaign',
    status: 'scheduled',
    scheduledAt: at.toISOString(),
    target: shownTarget(checked.workspace, checked.segment, campaign.tag),
    recipients,
  };
}

function momentOf(text: string, zone: string | undefined): Date {
  const wall = zone === undefined ? null : parseWallTime(text);
  if (!wall || zone === undefined) return new Date(text);
  const found = inZone(wall, zone);
  if (found.kind === 'once') return found.at;
  throw refused(found.kind === 'gap' ? gap(zone, found.instead) : fold(found.at, found.later));
}

const [minuteMilliseconds, maxDays] = [60_000, 366];

function checkDistance(at: Date, now: Date): void {
  const distance = at.getTime() - now.getTime();
  if (distance < minuteMilliseconds || distance > maxDays * 24 * 60 * minuteMilliseconds) throw refused(tooNearOrFar);
}

const refused = (text: Text) => new ValidationError([{ path: 'scheduled_at', text }]);

const tooNearOrFar: Text = {
  en: `must lie 1 minute to ${maxDays} days ahead`,
  fr: `doit se situer dans 1 minute à ${maxDays} jours`,
};

const gap = (zone: string, instead: Date): Text => ({
  en: `does not exist in ${zone}, whose clocks skip it: the next is ${shownInZone(instead, zone)}`,
  fr: `n’existe pas dans ${zone}, dont les horloges la sautent : la suivante est ${shownInZone(instead, zone)}`,
});

const fold = (first: Date, second: Date): Text => ({
  en: `is shown twice by the clocks there: give it with its offset, as ${first.toISOString()} or ${second.toISOString()}`,
  fr: `est montrée deux fois par les horloges de ce fuseau : donnez-la avec son décalage, comme ${first.toISOString()} ou ${second.toISOString()}`,
});
