import { type SubscriberStatus, subscriberStatuses } from '../../domain/person/person.ts';
import type { EventActivities, RuleSubjects, SegmentPerson } from '../../domain/segment/segment.ts';
import { activitiesOfShard, findActivities } from '../personEvents/activities.ts';
import { batchGet } from '../table/batches.ts';
import { addressItemKey, audiencePartition, audienceShards } from '../table/keys.ts';
import { type Item, type QueriedPage, type Query, queryPage, queryPages } from '../table/table.ts';
import { attributesOf, segmentPersonOf, textOf } from './internal/audienceRow.ts';
import { preferencesOf } from './suppressions.ts';

/** A subscriber whom the workspace has not suppressed, with the attributes that the rule tests. */
export interface AudienceMember {
  readonly email: string;
  readonly person: SegmentPerson;
}

/** A subscriber of any status, with the attributes that the rule tests. */
export interface FoundSubscriber extends AudienceMember {
  readonly status: SubscriberStatus;
  /** Whether the workspace has suppressed the address. */
  readonly isSuppressed: boolean;
  /** Tags of the topics that they have left. */
  readonly leftTags: readonly string[];
}

/**
 * The subscribers among these addresses (canonical form, each once), by address: half a read unit per address, and for
 * each event that the rule tests.
 */
export async function findSubscribers(
  workspaceId: string,
  emails: readonly string[],
  subjects: RuleSubjects,
): Promise<Map<string, FoundSubscriber>> {
  const read = batchGet(
    emails.map((email) => addressItemKey(workspaceId, email)),
    {
      consistent: false,
      attributes: [['email'], ['status'], ['suppression_reason'], ['preferences'], ...attributesOf(subjects)],
    },
  );
  const [items, activities] = await Promise.all([
    read,
    subjects.events.size > 0 ? findActivities(workspaceId, emails, subjects.events) : null,
  ]);
  const found = new Map<string, FoundSubscriber>();
  for (const item of items) {
    if (item.status === undefined) continue;
    const status = statusOf(item);
    const isSuppressed = item.suppression_reason !== undefined;
    const { leftTags } = preferencesOf(item);
    const own = withActivities(memberOf(item, subjects), activities?.get(textOf(item, 'email')));
    found.set(own.email, { ...own, status, isSuppressed, leftTags });
  }
  return found;
}

function statusOf(item: Item): SubscriberStatus {
  const status = subscriberStatuses.find((known) => known === item.status);
  if (!status) throw new Error('An address item has an unknown status.');
  return status;
}

/**
 * The number of people who are subscribed and not suppressed in the workspace: all shards are counted in parallel,
 * without reading items.
 */
export async function countMembers(workspaceId: string): Promise<number> {
  const counts = shards.map(async (shard) => {
    let count = 0;
    for await (const page of shardPages(workspaceId, shard, { isCount: true })) count += page.count;
    return count;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/**
 * The members of each shard, in order of their addresses, in pages of 1 MB of the index; to be read in parallel. Events that
 * the rule tests are read beside them, in the same order.
 */
export function memberPages(workspaceId: string, subjects: RuleSubjects): AsyncGenerator<AudienceMember[]>[] {
  return shards.map((shard) => membersOfShard(workspaceId, shard, subjects));
}

/** A part of a shard in order of its addresses, from the one after `after` on; `next` is the last of it if there are more. */
export async function membersAfter(
  workspaceId: string,
  { shard, after, limit }: { readonly shard: number; readonly after: string; readonly limit: number },
  subjects: RuleSubjects,
): Promise<{ readonly members: readonly AudienceMember[]; readonly next: string | null }> {
  const { items, last } = await queryPage({
    ...{ index: 'audience', partition: audiencePartition(workspaceId, shard), limit },
    attributes: [['email'], ...attributesOf(subjects)],
    ...(after !== '' && { sort: { above: after } }),
  });
  const members = items.map((item) => memberOf(item, subjects));
  const emails = members.map(({ email }) => email);
  const activities = subjects.events.size > 0 ? await findActivities(workspaceId, emails, subjects.events) : null;
  return {
    members: members.map((member) => withActivities(member, activities?.get(member.email))),
    next: last === undefined ? null : (emails.at(-1) ?? null),
  };
}

async function* membersOfShard(workspaceId: string, shard: number, subjects: RuleSubjects) {
  const attributes = [['email'], ...attributesOf(subjects)];
  const activitiesOf = subjects.events.size > 0 ? activitiesOfShard(workspaceId, subjects.events, shard) : null;
  for await (const { items } of shardPages(workspaceId, shard, { attributes })) {
    const members = items.map((item) => memberOf(item, subjects));
    if (!activitiesOf) {
      yield members;
      continue;
    }
    const joined: AudienceMember[] = [];
    for (const member of members) joined.push(withActivities(member, await activitiesOf(member.email)));
    yield joined;
  }
}

const withActivities = (member: AudienceMember, activities: EventActivities | undefined): AudienceMember =>
  activities ? { ...member, person: { ...member.person, activities } } : member;

const memberOf = (item: Item, subjects: RuleSubjects): AudienceMember => ({
  email: textOf(item, 'email'),
  person: segmentPersonOf(item, subjects),
});

const shards = Array.from({ length: audienceShards }, (_, shard) => shard);

const shardPages = (
  workspaceId: string,
  shard: number,
  query: Pick<Query, 'attributes' | 'isCount'>,
): AsyncGenerator<QueriedPage> =>
  queryPages({ index: 'audience', partition: audiencePartition(workspaceId, shard), ...query });
