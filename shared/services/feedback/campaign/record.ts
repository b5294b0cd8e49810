import { isSimulatorAddress } from '../../../domain/address/address.ts';
import type { Campaign, Freeze } from '../../../domain/campaign/campaign.ts';
import { chunkInfo } from '../../../domain/campaign/campaign.ts';
import { slicePositions } from '../../../domain/campaign/slice.ts';
import { isAlias } from '../../../domain/person/erased.ts';
import type { Happening, HappeningOf } from '../../../domain/sending/happening.ts';
import { isProxiedOpen } from '../../../domain/sending/proxy.ts';
import type { EventType } from '../../../domain/webhook/eventType.ts';
import type { CampaignFeedback } from '../../../email/feedbackEvent.ts';
import { getCampaign } from '../../../store/campaign/campaigns.ts';
import { getMessage } from '../../../store/campaign/messages.ts';
import { addDamage, getSlice } from '../../../store/campaign/slices.ts';
import { noteHeard } from '../../campaigns/closing/heard.ts';
import { writeEvents } from '../../events/emit.ts';
import { suppress } from '../../suppression/suppress.ts';
import { type Batch, countInTurn, webhooksOf } from '../batch.ts';
import { additionsOf, type MessageState, takenBy } from './additions.ts';
import { type Addition, addReport, placeOf, reportOrphan } from './slices.ts';

/** What is reported of a campaign's message: first what it does to others, then the sets of its slice. */
export async function recordCampaignFeedback(feedback: CampaignFeedback, batch: Batch): Promise<void> {
  const { origin, happenings, message } = feedback;
  const { workspaceId, id, chunk, position, attempt } = origin;
  const campaign = await campaignOf(workspaceId, id);
  if (!campaign?.freeze || !isPlace(campaign.freeze, origin)) return reportOrphan(workspaceId, id);
  const { freeze } = campaign;
  const isCounted = !happenings.some((happening) => 'recipient' in happening && isSimulator(happening.recipient));
  const names = takenBy(happenings);
  const messageId = names.length > 0 ? message.id : null;
  const report: Addition = { campaign, freeze, chunk, position, attempt, messageId, isCounted, names };
  const needsState = happenings.some(({ type }) => type === 'opened' || type === 'clicked');
  const state: MessageState = {
    position: position % slicePositions,
    sentAt: message.sentAt,
    links: needsState ? await linksOf(campaign, freeze, chunk) : [],
    sets: needsState ? (await getSlice(placeOf(report))).sets : {},
  };
  const named = happenings.map((happening) => ({ happening, names: additionsOf(happening, state) }));
  const counted = named.filter(({ happening, names }) => names.length > 0 || !isEngagement(happening));
  await Promise.all(counted.map(({ happening }) => effectOf(feedback, happening, report, batch)));
  const added = named.flatMap(({ names: own }) => own);
  await addReport({ ...report, names: [...names, ...added] }, batch.book);
  // Only the provider's word on acceptance vouches for acceptances: an open may come while a yes is still stuck.
  if (happenings.some(({ type }) => type === 'accepted')) await noteHeard(message.sentAt, batch.now);
}

/** A position that nobody has would spoil the write of those beside it. */
const isPlace = (freeze: Freeze, { chunk, position }: CampaignFeedback['origin']): boolean =>
  Number.isInteger(chunk) &&
  Number.isInteger(position) &&
  position >= 0 &&
  position < (chunkInfo(freeze, chunk)?.people ?? 0);

const isSimulator = (recipient: string | null): boolean => recipient !== null && isSimulatorAddress(recipient);

const isEngagement = ({ type }: Happening): boolean => type === 'opened' || type === 'clicked';

/** Frozen campaigns change in what feedback does not look at: what a container has read is right for good. */
const campaigns = new Map<string, Promise<Campaign | null>>();
const links = new Map<string, Promise<readonly string[]>>();
const kept = 50;

function remembered<T>(cache: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known) return known;
  const reading = read();
  cache.set(key, reading);
  reading.catch(() => cache.delete(key));
  for (const old of [...cache.keys()].slice(0, -kept)) cache.delete(old);
  return reading;
}

const campaignOf = (workspaceId: string, id: string): Promise<Campaign | null> =>
  remembered(campaigns, `${workspaceId}#${id}`, () => getCampaign({ workspaceId, id }));

function linksOf({ workspaceId, id: campaignId }: Campaign, freeze: Freeze, chunk: number): Promise<readonly string[]> {
  const variant = chunkInfo(freeze, chunk)?.variant ?? 0;
  const read = async () => (await getMessage({ workspaceId, campaignId, freezeId: freeze.id, variant }))?.links ?? [];
  return remembered(links, `${freeze.id}#${variant}`, read);
}

async function effectOf(
  feedback: CampaignFeedback,
  happening: Happening,
  report: Addition,
  batch: Batch,
): Promise<void> {
  switch (happening.type) {
    case 'delivered':
      return emit(feedback, { ...happening, type: 'email.delivered', occurrence: '' }, {}, batch);
    case 'opened': {
      const details = { user_agent: happening.userAgent, proxied: isProxiedOpen(happening.userAgent) };
      return emit(feedback, { ...happening, type: 'email.opened' }, details, batch);
    }
    case 'clicked':
      return emit(
        feedback,
        { ...happening, type: 'email.clicked' },
        { url: happening.url, user_agent: happening.userAgent },
        batch,
      );
    case 'bounced':
    case 'complained':
      return damage(feedback, happening, report, batch);
    default:
      return;
  }
}

const reasons = { bounced: 'bounce', complained: 'complaint' } as const;

/** It counts against the workspace, once, and the address is written to no more. */
async function damage(
  feedback: CampaignFeedback,
  happening: HappeningOf<'bounced' | 'complained'>,
  report: Addition,
  batch: Batch,
): Promise<void> {
  const { workspaceId } = feedback.origin;
  const { type, recipient, byAccount, at } = happening;
  if (!byAccount && report.isCounted) {
    const day = batch.now.toISOString().slice(0, 10);
    await countInTurn(batch, workspaceId, () =>
      addDamage(placeOf(report), report.position % slicePositions, type, day),
    );
  }
  await suppress(workspaceId, recipient, reasons[type], batch.now);
  if (byAccount) await suppress(null, recipient, reasons[type], batch.now);
  batch.damaged.add(workspaceId);
  const details =
    happening.type === 'bounced'
      ? { bounce: happening.bounce }
      : { complaint: { feedback_type: happening.complaint.feedbackType } };
  await emit(feedback, { type: `email.${type}`, recipient, at, occurrence: '' }, details, batch);
}

async function emit(
  { origin, message }: CampaignFeedback,
  event: {
    readonly type: EventType;
    readonly recipient: string | null;
    readonly at: Date;
    readonly occurrence: string;
  },
  details: Readonly<Record<string, unknown>>,
  batch: Batch,
): Promise<void> {
  const { workspaceId, id } = origin;
  const { type, recipient, at, occurrence } = event;
  if (recipient !== null && isAlias(recipient)) return;
  const cause = [message.id, type, recipient ?? '', occurrence].join('#');
  const data = { email_id: null, campaign_id: id, recipient, subject: message.subject, tags: message.tags, ...details };
  const deliveries = await writeEvents(workspaceId, [{ type, cause, at, data, lane: 'bulk' }], () =>
    webhooksOf(batch, workspaceId),
  );
  batch.deliveries.push(...deliveries);
}
