import * as z from 'zod';
import {
  type Campaign,
  campaignKinds,
  campaignStatuses,
  type Freeze,
  holdReasons,
} from '../../../domain/campaign/campaign.ts';
import { shardOf } from '../../../domain/encoding.ts';
import {
  campaignsOfStatusPartition,
  campaignsPartition,
  dueCampaignPartition,
  dueCampaignShards,
  type Indexed,
} from '../../table/keys.ts';
import type { Item } from '../../table/table.ts';

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

const attributes = z.object({
  workspace_id: z.string(),
  campaign_id: z.string(),
  name: z.string(),
  subject: z.string(),
  preheader: z.string().nullish(),
  from: z.string(),
  reply_to: z.array(z.string()).nullish(),
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
  measured: z.object({ at: z.string(), done: z.number() }).nullish(),
  created_at: z.string(),
  updated_at: z.string(),
  scheduled_at: z.string().nullish(),
  schedule_failure: z.object({ at: z.string(), code: z.string(), text: z.record(z.string(), z.string()) }).nullish(),
  sent_at: z.string().nullish(),
});

/** The attributes of a campaign; an optional one may be absent or null. */
export type CampaignAttributes = Readonly<z.input<typeof attributes>>;

export interface CampaignRecord extends CampaignAttributes, Indexed<'newest' | 'status'> {}

export function campaignOf(stored: Item): Campaign {
  const item = attributes.parse(stored);
  return {
    workspaceId: item.workspace_id,
    id: item.campaign_id,
    name: item.name,
    subject: item.subject,
    preheader: item.preheader ?? null,
    from: item.from,
    ...(item.reply_to && { replyTo: item.reply_to }),
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
    ...(item.measured && { measured: item.measured }),
    createdAt: item.created_at,
    updatedAt: item.updated_at,
    scheduledAt: item.scheduled_at ?? null,
    scheduleFailure: item.schedule_failure ?? null,
    sentAt: item.sent_at ?? null,
  };
}

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

/** The whole record. The only place that decides which indexes contain a campaign. */
export function recordOf(campaign: Campaign): CampaignRecord {
  const position = `${campaign.createdAt}#${campaign.id}`;
  return {
    ...campaignAttributes(campaign),
    newest_pk: campaignsPartition(campaign.workspaceId),
    newest_sk: position,
    status_pk: campaignsOfStatusPartition(campaign.workspaceId, campaign.status),
    status_sk: position,
  };
}

function campaignAttributes(campaign: Campaign): CampaignAttributes {
  return {
    workspace_id: campaign.workspaceId,
    campaign_id: campaign.id,
    name: campaign.name,
    subject: campaign.subject,
    preheader: campaign.preheader ?? undefined,
    from: campaign.from,
    reply_to: campaign.replyTo ? [...campaign.replyTo] : undefined,
    kind: campaign.kind,
    status: campaign.status,
    segment_id: campaign.segmentId ?? undefined,
    tag: campaign.tag ?? undefined,
    test: campaign.test ? testRecord(campaign.test) : undefined,
    track: Object.keys(campaign.track).length > 0 ? campaign.track : undefined,
    template: campaign.template ?? undefined,
    revision: campaign.revision || undefined,
    noted: campaign.noted ?? undefined,
    freeze: campaign.freeze ? freezeRecord(campaign.freeze) : undefined,
    held: campaign.hold ? holdRecord(campaign.hold) : undefined,
    measured: campaign.measured ?? undefined,
    created_at: campaign.createdAt,
    updated_at: campaign.updatedAt,
    scheduled_at: campaign.scheduledAt ?? undefined,
    schedule_failure: campaign.scheduleFailure ?? undefined,
    sent_at: campaign.sentAt ?? undefined,
  };
}

export const freezeRecord = (freeze: Freeze) => ({ ...freeze, groups: [...freeze.groups] });

export const testRecord = ({
  decideBy,
  waitHours,
  decideAt,
  results,
  ...test
}: NonNullable<Campaign['test']>): NonNullable<CampaignAttributes['test']> => ({
  ...test,
  ...(results !== undefined && { results: results && [...results] }),
  decide_by: decideBy,
  wait_hours: waitHours,
  decide_at: decideAt,
});

export const holdRecord = ({ reason, since, providerCode }: NonNullable<Campaign['hold']>) => ({
  reason,
  since,
  provider_code: providerCode,
});

/** Index attributes of a campaign or runner that the sweeper must check at a time. */
export const dueAttributes = (name: string, at: Date) => ({
  due_pk: dueCampaignPartition(shardOf(name, dueCampaignShards)),
  due_sk: `${at.toISOString()}#${name}`,
});
