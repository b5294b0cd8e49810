import {
  type AbTest,
  type Campaign,
  type CampaignStatus,
  type Freeze,
  frozenPeople,
  type Hold,
  type ScheduleFailure,
} from '../../domain/campaign/campaign.ts';
import type { Delivery } from '../../domain/webhook/delivery.ts';
import { campaignDayPart } from '../campaignDays.ts';
import { batchGet } from '../table/batches.ts';
import type { Conditions } from '../table/expression.ts';
import {
  campaignContentKey,
  campaignKey,
  campaignsOfStatusPartition,
  campaignsPartition,
  frozenCampaignKey,
  frozenCampaignsPartition,
  type IndexName,
} from '../table/keys.ts';
import { type PositionRange, sortOf } from '../table/positions.ts';
import { getItem, idOfPosition, newestPositions, queryItems, type TransactionPart } from '../table/table.ts';
import { decide, isFailedCondition, transact } from '../table/transaction.ts';
import { changePart, deletePart, putPart } from '../table/write.ts';
import { deliveryParts } from '../webhook/deliveries.ts';
import {
  type CampaignRecord,
  campaignOf,
  freezeRecord,
  holdRecord,
  recordOf,
  testRecord,
} from './internal/campaignRecord.ts';
import { deleteParts, getParts, putParts, replacingParts } from './internal/parts.ts';
import { giveBackPart, notSuspendedPart, takePart, usedOf } from './internal/quota.ts';
import { runnerParts } from './runners.ts';
import { watchPart } from './watches.ts';

export type CampaignPosition = Pick<Campaign, 'workspaceId' | 'id'>;

const keyOf = ({ workspaceId, id }: CampaignPosition) => campaignKey(workspaceId, id);

/** Writes a draft and its content; the content first, so that no campaign exists without it. */
export async function addCampaign(campaign: Campaign, content: unknown): Promise<void> {
  await putParts((part) => campaignContentKey(campaign.workspaceId, campaign.id, part), content);
  const put = putPart<CampaignRecord>(keyOf(campaign), recordOf(campaign), { if: [['pk', 'absent']] });
  if (!(await decide(put))) throw new Error('A new campaign has the identifier of another.');
}

/**
 * Replaces a draft with its content, unless either has changed since `before` was read. `too_large`: the content does
 * not fit into one transaction.
 */
export async function changeDraft(
  before: Campaign,
  after: Campaign,
  content: unknown,
): Promise<'changed' | 'overtaken' | 'too_large'> {
  const parts = await replacingParts((part) => campaignContentKey(before.workspaceId, before.id, part), content);
  if (!parts) return 'too_large';
  const expect = { status: 'draft' as const, ...sameRevision(before) };
  const put = putPart<CampaignRecord>(keyOf(before), recordOf(after), { expect });
  return (await transact([put, ...parts])) === null ? 'changed' : 'overtaken';
}

/**
 * Deletes a draft, unless it has changed since it was read; its content afterwards, so that no campaign exists without
 * it.
 */
export async function deleteDraft(campaign: Campaign): Promise<boolean> {
  const expect = { status: 'draft' as const, ...sameRevision(campaign) };
  if (!(await decide(deletePart<CampaignRecord>(keyOf(campaign), { expect })))) return false;
  await deleteParts((part) => campaignContentKey(campaign.workspaceId, campaign.id, part));
  return true;
}

/** Only the version that the operator saw may be sent or scheduled: an edit in between makes this condition fail. */
const sameRevision = ({ revision }: Campaign): Conditions<CampaignRecord>['expect'] => ({
  revision: revision || undefined,
});

/** One campaign, strongly consistent. Null when there is none. */
export async function getCampaign(position: CampaignPosition): Promise<Campaign | null> {
  const item = await getItem(keyOf(position));
  return item && campaignOf(item);
}

/** The same campaign in another table with the same records. */
export async function getCampaignOf(table: string, position: CampaignPosition): Promise<Campaign | null> {
  const [item] = await batchGet([keyOf(position)], { consistent: true, table });
  return item ? campaignOf(item) : null;
}

/** The author's content, as it was passed to `addCampaign`. */
export async function getContent<Content>({ workspaceId, id }: CampaignPosition): Promise<Content> {
  const content = await getParts<Content>((part) => campaignContentKey(workspaceId, id, part));
  if (content === null) throw new Error('A campaign has no content.');
  return content;
}

/** Campaigns newest first: one query of keys and one batch read. */
export async function pageOfCampaigns(
  workspaceId: string,
  page: { readonly status?: CampaignStatus | undefined; readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly entries: readonly Campaign[]; readonly next: string | null }> {
  const { status } = page;
  const [index, partition]: [IndexName, string] = status
    ? ['status', campaignsOfStatusPartition(workspaceId, status)]
    : ['newest', campaignsPartition(workspaceId)];
  const { positions, next } = await newestPositions(index, partition, page);
  const ids = positions.map(idOfPosition);
  const found = await findCampaigns(workspaceId, ids);
  const entries = ids.flatMap((id) => found.get(id) ?? []);
  return { entries: entries.filter((campaign) => !status || campaign.status === status), next };
}

async function findCampaigns(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Campaign>> {
  const keys = ids.map((id) => campaignKey(workspaceId, id));
  const items = await batchGet(keys, { consistent: false });
  return new Map(items.map((item) => [String(item.campaign_id), campaignOf(item)]));
}

/** The key contains everything. */
interface FrozenCampaignRecord {
  readonly expires_at: number;
}

/** A campaign with frozen recipients, and its position in the list of those. */
export interface ListedCampaign {
  readonly position: string;
  readonly campaign: Campaign & { readonly freeze: Freeze };
}

/** Campaigns by the time of their freeze, newest first: one query of keys and one batch read. */
export async function pageOfFrozen(
  workspaceId: string,
  { limit, ...range }: PositionRange,
): Promise<{ readonly entries: readonly ListedCampaign[]; readonly next: string | null }> {
  const sort = sortOf(range);
  if (!sort) return { entries: [], next: null };
  const partition = frozenCampaignsPartition(workspaceId);
  const items = await queryItems({ partition, sort, order: 'descending', limit: limit + 1 });
  const positions = items.slice(0, limit).map(({ sk }) => String(sk));
  const found = await findCampaigns(workspaceId, positions.map(idOfPosition));
  const entries = positions.flatMap((position): ListedCampaign[] => {
    const campaign = found.get(idOfPosition(position));
    return campaign?.freeze ? [{ position, campaign: { ...campaign, freeze: campaign.freeze } }] : [];
  });
  return { entries, next: items.length > limit ? (positions.at(-1) ?? null) : null };
}

/** Whether a campaign was started, or why not; `used` is how much of the month's quota was used. */
export type StartResult =
  | { readonly kind: 'started' }
  | { readonly kind: 'moved' | 'suspended' }
  | { readonly kind: 'no_room'; readonly used: number };

/**
 * Starts a campaign in one transaction: it is still the same draft, uses this freeze, gets its runners and its quota,
 * and the workspace is not suspended.
 */
export async function startSending(
  campaign: Campaign,
  start: { readonly freeze: Freeze; readonly limit: number; readonly at: Date; readonly expiresAt: number },
  deliveries: readonly Delivery[] = [],
): Promise<StartResult> {
  const { freeze, limit, at, expiresAt } = start;
  const failed = await transact([
    statusPart(campaign, 'sending', at, {
      set: { freeze: freezeRecord(freeze) },
      remove: ['schedule_failure'],
      seen: campaign.scheduledAt,
    }),
    takePart(campaign.workspaceId, freeze.month, frozenPeople(freeze), limit, at),
    notSuspendedPart(campaign.workspaceId),
    ...runnerParts(campaign, freeze, at, expiresAt),
    watchPart(campaign, at, expiresAt),
    campaignDayPart({
      workspaceId: campaign.workspaceId,
      campaignId: campaign.id,
      date: at.toISOString().slice(0, 10),
    }),
    putPart<FrozenCampaignRecord>(frozenCampaignKey(campaign.workspaceId, freeze.at, campaign.id), {
      expires_at: expiresAt,
    }),
    ...deliveryParts(deliveries),
  ]);
  if (!failed) return { kind: 'started' };
  const [moved, quota, suspension] = failed;
  const used = usedOf(quota);
  if (isFailedCondition(moved)) return { kind: 'moved' };
  if (used !== null) return { kind: 'no_room', used };
  if (isFailedCondition(suspension)) return { kind: 'suspended' };
  throw new Error('A campaign was not started for an unknown reason.');
}

/**
 * Sets the status `sent` after everybody has an outcome and gives back the quota of `unsent` people; false when that
 * was done already.
 */
export async function finishSending(
  campaign: Campaign,
  at: Date,
  { unsent, expiresAt }: { readonly unsent: number; readonly expiresAt: number },
  deliveries: readonly Delivery[] = [],
): Promise<boolean> {
  const change = statusPart(campaign, 'sent', at, { set: { sent_at: at.toISOString() }, remove: ['held'] });
  const month = campaign.freeze?.month;
  const given = unsent > 0 && month ? [giveBackPart(campaign.workspaceId, month, unsent)] : [];
  const parts = [change, ...given, watchPart(campaign, at, expiresAt), ...deliveryParts(deliveries)];
  return (await transact(parts)) === null;
}

/**
 * Makes a draft of a campaign whose schedule was refused, and notes why; false when the campaign has changed meanwhile.
 */
export async function failSchedule(
  campaign: Campaign,
  failure: ScheduleFailure,
  at: Date,
  deliveries: readonly Delivery[] = [],
): Promise<boolean> {
  const further = { set: { schedule_failure: failure }, remove: ['scheduled_at' as const], seen: campaign.scheduledAt };
  return decideWith(statusPart(campaign, 'draft', at, further), deliveries);
}

/** Any other change of status; a `scheduledAt` of null removes it. False when the campaign has changed meanwhile. */
export async function moveCampaign(
  campaign: Campaign,
  status: CampaignStatus,
  at: Date,
  scheduledAt?: string | null,
  deliveries: readonly Delivery[] = [],
): Promise<boolean> {
  const change = statusPart(campaign, status, at, {
    set: { scheduled_at: scheduledAt || undefined },
    remove: [
      ...(scheduledAt === null ? (['scheduled_at'] as const) : []),
      ...(status === 'scheduled' ? (['schedule_failure'] as const) : []),
    ],
    seen: campaign.scheduledAt,
  });
  return decideWith(change, deliveries);
}

/** Sets a hold; false when the stored hold is not the one that was read. */
export const putHold = (
  campaign: Campaign,
  hold: Hold,
  at: Date,
  deliveries: readonly Delivery[] = [],
): Promise<boolean> => changeHold(campaign, { held: holdRecord(hold) }, at, deliveries);

/** Removes a hold when `done` people have an outcome; false when the stored hold is not the one that was read. */
export const removeHold = (
  campaign: Campaign,
  done: number,
  at: Date,
  deliveries: readonly Delivery[] = [],
): Promise<boolean> => changeHold(campaign, { measured: { at: at.toISOString(), done } }, at, deliveries);

/** One write whose result is certain, with the events that report it. */
const decideWith = async (part: TransactionPart, deliveries: readonly Delivery[]): Promise<boolean> =>
  deliveries.length === 0 ? decide(part) : (await transact([part, ...deliveryParts(deliveries)])) === null;

async function changeHold(
  campaign: Campaign,
  change: Pick<CampaignRecord, 'held' | 'measured'>,
  at: Date,
  deliveries: readonly Delivery[],
): Promise<boolean> {
  const { hold: seen } = campaign;
  return decideWith(
    changePart<CampaignRecord>(keyOf(campaign), {
      set: { ...change, updated_at: at.toISOString() },
      remove: change.held ? [] : ['held'],
      expect: { status: 'sending' },
      if: seen
        ? [
            [['held', 'since'], '=', seen.since],
            [['held', 'reason'], '=', seen.reason],
          ]
        : [['held', 'absent']],
    }),
    deliveries,
  );
}

/** Stores the time of a test's decision, or its winner, when `done` people have an outcome; false when stored already. */
export async function changeTest(campaign: Campaign, test: AbTest, done: number, at: Date): Promise<boolean> {
  return decide(
    changePart<CampaignRecord>(keyOf(campaign), {
      set: { test: testRecord(test), measured: { at: at.toISOString(), done }, updated_at: at.toISOString() },
      expect: { status: 'sending' },
      if: [[['test', test.winner === null ? 'decide_at' : 'winner'], '=', null]],
    }),
  );
}

interface FurtherChange {
  readonly set?: Partial<CampaignRecord>;
  readonly remove?: readonly (keyof CampaignRecord)[];
  /** The scheduled time that was read; null for none. Not checked when left out. */
  readonly seen?: string | null;
}

function statusPart(campaign: Campaign, status: CampaignStatus, at: Date, further: FurtherChange): TransactionPart {
  const { set = {}, remove = [], seen } = further;
  return changePart<CampaignRecord>(keyOf(campaign), {
    set: {
      ...{ status, status_pk: campaignsOfStatusPartition(campaign.workspaceId, status) },
      ...{ updated_at: at.toISOString(), ...set },
    },
    remove,
    expect: {
      ...{ status: campaign.status, ...sameRevision(campaign) },
      ...(seen !== undefined && { scheduled_at: seen ?? undefined }),
    },
  });
}
