import * as z from 'zod';
import { type Campaign, holdReasons } from '../../domain/campaign/campaign.ts';
import { campaignKinds, campaignStatuses } from '../../domain/campaign/status.ts';
import { shardOf } from '../../domain/encoding/shard.ts';
import {
  campaignKey,
  campaignsOfStatusPartition,
  campaignsPartition,
  dueCampaignPartition,
  dueCampaignShards,
} from '../table/keys.ts';
import type { Item } from '../table/table.ts';

const test = z.object({
  variants: z.number(),
  share: z.number(),
  decide_by: z.enum(['opens', 'clicks']),
  wait_hours: z.number(),
  decide_at: z.string().nullish(),
  winner: z.number().nullish(),
  results: z.array(z.object({ delivered: z.number(), votes: z.number() })).nullish(),
});
const track = z.object({ opens: z.boolean().optional(), clicks: z.boolean().optional() });
const freeze = z.object({
  id: z.string(),
  at: z.string(),
  groups: z.array(z.object({ variant: z.number().nullable(), people: z.number() })),
  runners: z.number(),
  month: z.string(),
});
const hold = z.object({
  reason: z.enum(holdReasons),
  since: z.string(),
  provider_code: z.string().nullish(),
});

const record = z
  .object({
    workspace_id: z.string(),
    campaign_id: z.string(),
    name: z.string(),
    subject: z.string(),
    preheader: z.string().nullish(),
    from: z.string(),
    kind: z.enum(campaignKinds),
    status: z.enum(campaignStatuses),
    segment_id: z.string().nullish(),
    tag: z.string().nullish(),
    test: test.nullish(),
    track: track.nullish(),
    template: z.object({ id: z.string(), version: z.number() }).nullish(),
    revision: z.number().nullish(),
    noted: z.object({ by: z.string(), at: z.string() }).nullish(),
    freeze: freeze.nullish(),
    held: hold.nullish(),
    created_at: z.string(),
    updated_at: z.string(),
    scheduled_at: z.string().nullish(),
    sent_at: z.string().nullish(),
  })
  .transform(
    (item): Campaign => ({
      workspaceId: item.workspace_id,
      id: item.campaign_id,
      name: item.name,
      subject: item.subject,
      preheader: item.preheader ?? null,
      from: item.from,
      kind: item.kind,
      status: item.status,
      segmentId: item.segment_id ?? null,
      tag: item.tag ?? null,
      test: item.test ? testOf(item.test) : null,
      track: item.track ?? {},
      template: item.template ?? null,
      revision: item.revision ?? 0,
      noted: item.noted ?? null,
      freeze: item.freeze ?? null,
      hold: item.held
        ? { reason: item.held.reason, since: item.held.since, providerCode: item.held.provider_code ?? null }
        : null,
      createdAt: item.created_at,
      updatedAt: item.updated_at,
      scheduledAt: item.scheduled_at ?? null,
      sentAt: item.sent_at ?? null,
    }),
  );

function testOf({ decide_by, wait_hours, decide_at, winner, ...item }: z.output<typeof test>): Campaign['test'] {
  const { results = null, ...plain } = item;
  return {
    ...plain,
    decideBy: decide_by,
    waitHours: wait_hours,
    decideAt: decide_at ?? null,
    winner: winner ?? null,
    results,
  };
}

export const campaignOf = (item: Item): Campaign => record.parse(item);

/** The whole item; which lists carry it follows from its state here and nowhere else. */
export function campaignItem(campaign: Campaign): Item {
  const { workspaceId, id } = campaign;
  const position = `${campaign.createdAt}#${id}`;
  return {
    ...campaignKey(workspaceId, id),
    ...campaignAttributes(campaign),
    newest_pk: campaignsPartition(workspaceId),
    newest_sk: position,
    status_pk: campaignsOfStatusPartition(workspaceId, campaign.status),
    status_sk: position,
  };
}

function campaignAttributes(campaign: Campaign): Item {
  return {
    workspace_id: campaign.workspaceId,
    campaign_id: campaign.id,
    name: campaign.name,
    subject: campaign.subject,
    preheader: campaign.preheader ?? undefined,
    from: campaign.from,
    kind: campaign.kind,
    status: campaign.status,
    segment_id: campaign.segmentId ?? undefined,
    tag: campaign.tag ?? undefined,
    test: campaign.test ? testItem(campaign.test) : undefined,
    track: Object.keys(campaign.track).length > 0 ? campaign.track : undefined,
    template: campaign.template ?? undefined,
    revision: campaign.revision || undefined,
    noted: campaign.noted ?? undefined,
    freeze: campaign.freeze ? { ...campaign.freeze } : undefined,
    held: campaign.hold ? holdItem(campaign.hold) : undefined,
    created_at: campaign.createdAt,
    updated_at: campaign.updatedAt,
    scheduled_at: campaign.scheduledAt ?? undefined,
    sent_at: campaign.sentAt ?? undefined,
  };
}

export const testItem = ({ decideBy, waitHours, decideAt, ...test }: NonNullable<Campaign['test']>): Item => ({
  ...test,
  decide_by: decideBy,
  wait_hours: waitHours,
  decide_at: decideAt,
});

export const holdItem = ({ reason, since, providerCode }: NonNullable<Campaign['hold']>): Item => ({
  reason,
  since,
  provider_code: providerCode,
});

/** When the sweeper looks after a campaign or one of its runners. */
export const dueAttributes = (name: string, at: Date): Item => ({
  due_pk: dueCampaignPartition(shardOf(name, dueCampaignShards)),
  due_sk: `${at.toISOString()}#${name}`,
});
