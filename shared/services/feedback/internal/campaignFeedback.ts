import { isSimulatorAddress } from '../../../domain/address.ts';
import { type Campaign, chunkInfo, type Freeze } from '../../../domain/campaign/campaign.ts';
import {
  agentSet,
  agentsOf,
  countedLinks,
  type SetName,
  type SliceSets,
  slicePositions,
  windowOf,
} from '../../../domain/campaign/slice.ts';
import {
  countsAgainstReputation,
  type FeedbackEvent,
  type FeedbackEventOf,
  isProxiedOpen,
  isRobotClick,
  meaningOf,
} from '../../../domain/sending/feedbackEvent.ts';
import type { CampaignFeedback } from '../../../email/feedbackEvent.ts';
import { getCampaign } from '../../../store/campaign/campaigns.ts';
import { getMessage } from '../../../store/campaign/frozenContent.ts';
import { addBounceOrComplaint, getSlice } from '../../../store/campaign/slices.ts';
import { noteCampaignEvent } from '../../campaigns/feedbackWatermark.ts';
import { type Batch, countInTurn, noteFailure } from '../batch.ts';
import { applyMeaning, type ByEventType, handlerOf } from './effects.ts';
import { noteMailActivity } from './mailActivity.ts';
import { readingAgent } from './readingAgent.ts';
import { addReport, reportOrphan, type SliceReport, slicePositionOf } from './sliceReports.ts';

/**
 * Records a report about a message of a campaign. Suppressions and webhook events come first, the slice last: when
 * something fails in between, the report is delivered again and nothing is counted twice.
 */
export async function recordCampaignFeedback(feedback: CampaignFeedback, batch: Batch): Promise<void> {
  const { origin, events, message } = feedback;
  const { workspaceId, id, chunk, position, attempt } = origin;
  const campaign = await campaignOf(workspaceId, id);
  if (!campaign?.freeze || !isFrozenPosition(campaign.freeze, origin)) return reportOrphan(workspaceId, id);
  const { freeze } = campaign;
  const taken = namesOfReport(events);
  const messageId = taken.length > 0 ? message.id : null;
  const report: SliceReport = { campaign, freeze, chunk, position, attempt, messageId, names: taken };
  const needsState = events.some((event) => meaningOf(event).isEngagement);
  const state: MessageState = {
    position: position % slicePositions,
    sentAt: message.sentAt,
    links: needsState ? await linksOf(campaign, freeze, chunk) : [],
    sets: needsState ? (await getSlice(slicePositionOf(report))).sets : {},
  };
  const named = events.map((event) => ({ event, names: namesOfEvent(event, state) }));
  // An open or a click by a machine has no effect at all.
  const effective = named.filter(({ event, names }) => names.length > 0 || !meaningOf(event).isEngagement);
  await Promise.all(
    effective.map(async ({ event }) => {
      await countFailure(event, report, batch);
      await applyMeaning(feedback, event, null, batch);
    }),
  );
  for (const { event } of effective) noteMailActivity(feedback, event, batch);
  const isSimulated = events.some((event) => 'recipient' in event && isSimulator(event.recipient));
  const marks: readonly SetName[] = isSimulated ? ['simulated'] : [];
  const names = [...taken, ...marks, ...named.flatMap(({ names: own }) => own)];
  await addReport({ ...report, names }, batch.counters);
  if (events.some((event) => meaningOf(event).movesWatermark)) await noteCampaignEvent(message.sentAt, batch.now);
}

/** Tags can be forged: a position outside the list would corrupt the counters of its slice. */
const isFrozenPosition = (freeze: Freeze, { chunk, position }: CampaignFeedback['origin']): boolean =>
  Number.isInteger(chunk) &&
  Number.isInteger(position) &&
  position >= 0 &&
  position < (chunkInfo(freeze, chunk)?.people ?? 0);

const isSimulator = (recipient: string | null): boolean => recipient !== null && isSimulatorAddress(recipient);

/** Counts a bounce or a complaint against the workspace; once, however often it is reported. */
async function countFailure(event: FeedbackEvent, report: SliceReport, batch: Batch): Promise<void> {
  if (event.type !== 'bounced' && event.type !== 'complained') return;
  if (!countsAgainstReputation(event)) return;
  const day = batch.now.toISOString().slice(0, 10);
  const { workspaceId } = report.campaign;
  const isCounted = await countInTurn(batch, workspaceId, () =>
    addBounceOrComplaint(slicePositionOf(report), report.position % slicePositions, event.type, day),
  );
  if (isCounted) noteFailure(batch, workspaceId, event.type);
}

/** What feedback reads of a frozen campaign never changes, so a process keeps it. */
const campaigns = new Map<string, Promise<Campaign | null>>();
const links = new Map<string, Promise<readonly string[]>>();
const maxKept = 50;

function cached<T>(cache: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known) return known;
  const reading = read();
  cache.set(key, reading);
  reading.catch(() => cache.delete(key));
  for (const old of [...cache.keys()].slice(0, -maxKept)) cache.delete(old);
  return reading;
}

const campaignOf = (workspaceId: string, id: string): Promise<Campaign | null> =>
  cached(campaigns, `${workspaceId}#${id}`, () => getCampaign({ workspaceId, id }));

function linksOf({ workspaceId, id: campaignId }: Campaign, freeze: Freeze, chunk: number): Promise<readonly string[]> {
  const variant = chunkInfo(freeze, chunk)?.variant ?? 0;
  const read = async () => (await getMessage({ workspaceId, campaignId, freezeId: freeze.id, variant }))?.links ?? [];
  return cached(links, `${freeze.id}#${variant}`, read);
}

/** The message that an event is about, with what tells a reader from a machine. */
export interface MessageState {
  /** In its slice. */
  readonly position: number;
  readonly sentAt: Date;
  /** The web links of the message, in the order in which they are counted. */
  readonly links: readonly string[];
  /** The sets of its slice before this report. */
  readonly sets: SliceSets;
}

/** Which sets of its slice the message's position is added to. */
export type CampaignSetNames = ByEventType<[state: MessageState], readonly SetName[]>;

export const campaignSetNames: CampaignSetNames = {
  accepted: () => [],
  delivered: () => ['delivered'],
  bounced: () => ['bounced'],
  complained: () => ['complained'],
  opened: namesOfOpen,
  clicked: namesOfClick,
  delayed: () => [],
  undelivered: () => [],
  dropped: () => ['failed'],
};

export const namesOfEvent = (event: FeedbackEvent, state: MessageState): readonly SetName[] =>
  handlerOf(campaignSetNames, event)(state);

/** Any report proves that SES accepted the message, unless it says that the message was dropped. */
export const namesOfReport = (events: readonly FeedbackEvent[]): readonly SetName[] =>
  events.every((event) => meaningOf(event).wasSent) ? ['accepted'] : [];

function namesOfOpen({ at, userAgent, isBot }: FeedbackEventOf<'opened'>, state: MessageState): readonly SetName[] {
  if (isBot) return [];
  const window: SetName = `open.${windowOf(state.sentAt, at)}`;
  if (isProxiedOpen(userAgent)) return [window, 'relayed'];
  // The device that is counted is that of the first open without a relay.
  return hasOpenedInPerson(state) ? [window] : [window, agentSet(readingAgent(userAgent))];
}

function namesOfClick(event: FeedbackEventOf<'clicked'>, state: MessageState): readonly SetName[] {
  const { at, url } = event;
  if (isRobotClick(event, { sentAt: state.sentAt, hasOpenedInPerson: hasOpenedInPerson(state) })) return [];
  const link = state.links.indexOf(url);
  const window: SetName = `click.${windowOf(state.sentAt, at)}`;
  return link === -1 || link >= countedLinks ? [window] : [window, `link.${link}`];
}

/** An open without a relay leaves a device. */
const hasOpenedInPerson = ({ sets, position }: MessageState): boolean => agentsOf(sets).has(position);
