import { type AbTest, type Campaign, type Freeze, frozenPeople, type Hold } from '../../domain/campaign/campaign.ts';
import type { CampaignStatus } from '../../domain/campaign/status.ts';
import { GetCommand } from '../dynamodb/commands.ts';
import { campaignContentKey, campaignKey, campaignsOfStatusPartition, campaignsPartition } from '../table/keys.ts';
import { addressOfPosition, newestPositions } from '../table/newestPage.ts';
import { batchGet, documents, tableName } from '../table/table.ts';
import { decide, isFailedCondition, transact } from '../table/transaction.ts';
import { campaignItem, campaignOf, holdItem, testItem } from './campaignItem.ts';
import { getParts, putParts, wholePart } from './parts.ts';
import { giveBackPart, notSuspendedPart, takePart, usedOf } from './quota.ts';
import { runnerParts } from './runners.ts';
import { watchPart } from './watches.ts';

export type CampaignPosition = Pick<Campaign, 'workspaceId' | 'id'>;

/** Writes a draft and what it says; what it says first, so that no campaign is ever without it. */
export async function addCampaign(campaign: Campaign, content: unknown): Promise<void> {
  await putParts((part) => campaignContentKey(campaign.workspaceId, campaign.id, part), content);
  const put = {
    Put: { TableName: tableName(), Item: campaignItem(campaign), ConditionExpression: 'attribute_not_exists(pk)' },
  };
  if (!(await decide(put))) throw new Error('A new campaign has the identifier of another.');
}

/**
 * Writes a draft anew, the record and what it says at once, unless somebody has changed either since `before` was read.
 * `too_large`: it says more than fits into one item.
 */
export async function changeDraft(
  before: Campaign,
  after: Campaign,
  content: unknown,
): Promise<'changed' | 'overtaken' | 'too_large'> {
  const part = await wholePart(campaignContentKey(before.workspaceId, before.id, 0), content);
  if (!part) return 'too_large';
  const put = {
    Put: {
      TableName: tableName(),
      Item: campaignItem(after),
      ConditionExpression: `#status = :draft AND ${revisionCondition(before)}`,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':draft': 'draft', ...revisionValue(before) },
    },
  };
  return (await transact([put, part])) === null ? 'changed' : 'overtaken';
}

/** What goes out, or is scheduled to, is what was looked at: an edit in between is a failed condition. */
const revisionCondition = ({ revision }: Campaign): string =>
  revision ? 'revision = :revision' : 'attribute_not_exists(revision)';
const revisionValue = ({ revision }: Campaign) => (revision ? { ':revision': revision } : {});

/** One campaign, strongly consistent. Null when there is none. */
export async function getCampaign({ workspaceId, id }: CampaignPosition): Promise<Campaign | null> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: campaignKey(workspaceId, id), ConsistentRead: true }),
  );
  return Item ? campaignOf(Item) : null;
}

/** What its author wrote, in the form in which it was given to `addCampaign`. */
export async function getContent<Content>({ workspaceId, id }: CampaignPosition): Promise<Content> {
  const content = await getParts<Content>((part) => campaignContentKey(workspaceId, id, part));
  if (content === null) throw new Error('A campaign has no content.');
  return content;
}

/** Campaigns newest first: one query of keys and one batch read. */
export async function pageOfCampaigns(
  workspaceId: string,
  wanted: { readonly status?: CampaignStatus | undefined; readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly entries: readonly Campaign[]; readonly next: string | null }> {
  const { index, partition } = wanted.status
    ? { index: 'status', partition: campaignsOfStatusPartition(workspaceId, wanted.status) }
    : { index: 'newest', partition: campaignsPartition(workspaceId) };
  const { positions, next } = await newestPositions(index, partition, wanted);
  const ids = positions.map(addressOfPosition);
  const items = await batchGet(
    ids.map((id) => campaignKey(workspaceId, id)),
    { consistent: false },
  );
  const found = new Map(items.map((item) => [String(item.campaign_id), campaignOf(item)]));
  const entries = ids.flatMap((id) => found.get(id) ?? []);
  return { entries: entries.filter(({ status }) => !wanted.status || status === wanted.status), next };
}

/** What stood in the way of a start; `used` is how much of the month's quota was taken. */
export type StartResult =
  | { readonly kind: 'started' }
  | { readonly kind: 'moved' | 'suspended' }
  | { readonly kind: 'no_room'; readonly used: number };

/**
 * The moment that decides: the draft becomes a campaign on its way, with the people of this freeze and no other, its
 * runners at their start, its quota taken, and the workspace not suspended; or nothing at all.
 */
export async function startSending(
  campaign: Campaign,
  start: { readonly freeze: Freeze; readonly limit: number; readonly at: Date; readonly expiresAt: number },
): Promise<StartResult> {
  const { freeze, limit, at, expiresAt } = start;
  const change = statusChange(campaign, 'sending', at, {
    set: { '#freeze': ['freeze', { ...freeze }] },
    expectScheduledAt: campaign.scheduledAt,
  });
  const failed = await transact([
    { Update: change },
    takePart(campaign.workspaceId, freeze.month, frozenPeople(freeze), limit, at),
    notSuspendedPart(campaign.workspaceId),
    ...runnerParts(campaign, freeze, at, expiresAt),
    watchPart(campaign, at, expiresAt),
  ]);
  if (!failed) return { kind: 'started' };
  const [moved, quota, suspension] = failed;
  const used = usedOf(quota);
  if (isFailedCondition(moved)) return { kind: 'moved' };
  if (used !== null) return { kind: 'no_room', used };
  if (isFailedCondition(suspension)) return { kind: 'suspended' };
  throw new Error('A campaign was not started for no reason.');
}

/** Every person has an outcome: it was sent. Gives back whom it skipped and who failed; false when another has said so. */
export async function finishSending(
  campaign: Campaign,
  at: Date,
  { unsent, expiresAt }: { readonly unsent: number; readonly expiresAt: number },
): Promise<boolean> {
  const change = statusChange(campaign, 'sent', at, {
    set: { '#sent': ['sent_at', at.toISOString()] },
    remove: ['held'],
  });
  const month = campaign.freeze?.month;
  const given = unsent > 0 && month ? [giveBackPart(campaign.workspaceId, month, unsent)] : [];
  return (await transact([{ Update: change }, ...given, watchPart(campaign, at, expiresAt)])) === null;
}

/** Any other way from one status to the next; false when the campaign has moved meanwhile. */
export async function moveCampaign(
  campaign: Campaign,
  status: CampaignStatus,
  at: Date,
  scheduledAt?: string | null,
): Promise<boolean> {
  const change = statusChange(campaign, status, at, {
    set: scheduledAt ? { '#scheduled': ['scheduled_at', scheduledAt] } : {},
    remove: scheduledAt === null ? ['scheduled_at'] : [],
    expectScheduledAt: campaign.scheduledAt,
  });
  return decide({ Update: change });
}

/** Holds a campaign back, or lets it go on (null); false when its hold is not the one that was seen. */
export async function changeHold(campaign: Campaign, hold: Hold | null, at: Date): Promise<boolean> {
  const seen = campaign.hold;
  const isSeen = seen ? 'held.#since = :seen AND held.#reason = :reason' : 'attribute_not_exists(held)';
  return decide({
    Update: {
      TableName: tableName(),
      Key: campaignKey(campaign.workspaceId, campaign.id),
      UpdateExpression: hold ? 'SET held = :hold, updated_at = :now' : 'SET updated_at = :now REMOVE held',
      ConditionExpression: `#status = :status AND ${isSeen}`,
      ExpressionAttributeNames: { '#status': 'status', ...(seen ? { '#since': 'since', '#reason': 'reason' } : {}) },
      ExpressionAttributeValues: {
        ':status': 'sending',
        ':now': at.toISOString(),
        ...(hold ? { ':hold': holdItem(hold) } : {}),
        ...(seen ? { ':seen': seen.since, ':reason': seen.reason } : {}),
      },
    },
  });
}

/** Notes when a test is to be decided, or who won; false when that is noted already. */
export async function changeTest(campaign: Campaign, test: AbTest, at: Date): Promise<boolean> {
  const [name, seen] = test.winner === null ? ['decide_at', null] : ['winner', null];
  return decide({
    Update: {
      TableName: tableName(),
      Key: campaignKey(campaign.workspaceId, campaign.id),
      UpdateExpression: 'SET test = :test, updated_at = :now',
      ConditionExpression: '#status = :status AND test.#name = :seen',
      ExpressionAttributeNames: { '#status': 'status', '#name': name },
      ExpressionAttributeValues: {
        ':status': 'sending',
        ':test': { ...testItem(test), winner: test.winner },
        ':now': at.toISOString(),
        ':seen': seen,
      },
    },
  });
}

interface FurtherChange {
  /** By placeholder: the attribute and its new value. */
  readonly set?: Readonly<Record<`#${string}`, readonly [string, unknown]>>;
  readonly remove?: readonly string[];
  readonly expectScheduledAt?: string | null;
}

function statusChange(campaign: Campaign, status: CampaignStatus, at: Date, further: FurtherChange) {
  const { set = {}, remove = [], expectScheduledAt } = further;
  const names = Object.entries(set);
  const assignments = ['#status = :status', 'status_pk = :partition', 'updated_at = :now'];
  for (const [placeholder] of names) assignments.push(`${placeholder} = :${placeholder.slice(1)}`);
  const isScheduled = expectScheduledAt === undefined ? '' : ' AND scheduled_at = :scheduled_before';
  const isNot = ' AND attribute_not_exists(scheduled_at)';
  return {
    TableName: tableName(),
    Key: campaignKey(campaign.workspaceId, campaign.id),
    UpdateExpression: `SET ${assignments.join(', ')}${remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : ''}`,
    ConditionExpression: `#status = :before AND ${revisionCondition(campaign)}${expectScheduledAt === null ? isNot : isScheduled}`,
    ExpressionAttributeNames: {
      '#status': 'status',
      ...Object.fromEntries(names.map(([placeholder, [name]]) => [placeholder, name])),
    },
    ExpressionAttributeValues: {
      ':status': status,
      ':before': campaign.status,
      ':partition': campaignsOfStatusPartition(campaign.workspaceId, status),
      ':now': at.toISOString(),
      ...revisionValue(campaign),
      ...(expectScheduledAt ? { ':scheduled_before': expectScheduledAt } : {}),
      ...Object.fromEntries(names.map(([placeholder, [, value]]) => [`:${placeholder.slice(1)}`, value])),
    },
  };
}
