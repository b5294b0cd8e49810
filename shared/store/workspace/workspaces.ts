import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { planNames } from '../../domain/sending/plan.ts';
import type { DayCounts } from '../../domain/sending/reputation.ts';
import { type Language, languageTags } from '../../language/languages.ts';
import { domainKey, publicIdKey, registerKey, workspaceKey, workspacePartition } from '../table/keys.ts';
import { documents, type Item, queryAll, tableName } from '../table/table.ts';
import { transact } from '../table/transaction.ts';

const settings = z.object({
  workspace_id: z.string(),
  public_id: z.string(),
  name: z.string(),
  plan: z.enum(planNames),
  language: z.enum(languageTags),
  track_opens: z.boolean(),
  track_clicks: z.boolean(),
  created_at: z.string(),
  suspension: z.object({ since: z.string(), bounce_rate: z.number(), complaint_rate: z.number() }).nullish(),
  /** What the day on which an operator lifted a suspension had counted by then: neither it nor earlier days count. */
  reputation_baseline: z
    .object({
      date: z.string(),
      sent: z.number(),
      delivered: z.number(),
      bounced: z.number(),
      complained: z.number(),
    })
    .nullish(),
  /** Origins that may show the sign-up form in a frame. */
  form_origins: z.array(z.string()).default([]),
});
const domain = z.object({ domain: z.string(), verified_at: z.string().nullish(), created_at: z.string() });
const sender = z.object({
  email: z.string(),
  name: z.string().nullish(),
  default: z.boolean(),
  created_at: z.string(),
});

export interface Domain {
  readonly domain: string;
  readonly verified: boolean;
}

export interface Sender {
  readonly email: string;
  readonly name: string | null;
  readonly default: boolean;
}

export interface Suspension {
  readonly since: string;
  readonly bounceRate: number;
  readonly complaintRate: number;
}

/** All that a send looks at besides its recipients. */
export interface Workspace {
  readonly id: string;
  readonly publicId: string;
  readonly name: string;
  readonly plan: (typeof planNames)[number];
  readonly language: Language;
  readonly trackOpens: boolean;
  readonly trackClicks: boolean;
  readonly createdAt: string;
  readonly suspension: Suspension | null;
  readonly reputationBaseline: DayCounts | null;
  readonly formOrigins: readonly string[];
  readonly domains: readonly Domain[];
  readonly senders: readonly Sender[];
}

/** One query: settings, domains and senders. Null when there is no such workspace. */
export async function getWorkspace(workspaceId: string): Promise<Workspace | null> {
  const { Items } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': workspacePartition(workspaceId) },
    }),
  );
  return workspaceOf(Items ?? []);
}

function workspaceOf(items: readonly Item[]): Workspace | null {
  const own = items.find((item) => item.sk === 'WORKSPACE');
  if (!own) return null;
  const parsed = settings.parse(own);
  const { suspension } = parsed;
  return {
    id: parsed.workspace_id,
    publicId: parsed.public_id,
    name: parsed.name,
    plan: parsed.plan,
    language: parsed.language,
    trackOpens: parsed.track_opens,
    trackClicks: parsed.track_clicks,
    createdAt: parsed.created_at,
    suspension: suspension
      ? { since: suspension.since, bounceRate: suspension.bounce_rate, complaintRate: suspension.complaint_rate }
      : null,
    reputationBaseline: parsed.reputation_baseline ?? null,
    formOrigins: parsed.form_origins,
    domains: items.filter((item) => String(item.sk).startsWith('DOMAIN#')).map(domainOf),
    senders: items.filter((item) => String(item.sk).startsWith('SENDER#')).map(senderOf),
  };
}

function domainOf(item: Item): Domain {
  const parsed = domain.parse(item);
  return { domain: parsed.domain, verified: Boolean(parsed.verified_at) };
}

function senderOf(item: Item): Sender {
  const parsed = sender.parse(item);
  return { email: parsed.email, name: parsed.name ?? null, default: parsed.default };
}

export interface NewWorkspace {
  readonly id: string;
  readonly publicId: string;
  readonly name: string;
  readonly plan: (typeof planNames)[number];
  readonly language: Language;
  readonly createdAt: string;
}

/** The workspace, its line in the register and its public id, in one transaction. */
export async function putWorkspace(workspace: NewWorkspace): Promise<void> {
  const put = (item: Item) => ({
    Put: { TableName: tableName(), Item: item, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  const refused = await transact([
    put({
      ...workspaceKey(workspace.id),
      workspace_id: workspace.id,
      public_id: workspace.publicId,
      name: workspace.name,
      plan: workspace.plan,
      language: workspace.language,
      track_opens: true,
      track_clicks: true,
      created_at: workspace.createdAt,
    }),
    put({ ...registerKey(workspace.id), workspace_id: workspace.id, name: workspace.name }),
    put({ ...publicIdKey(workspace.publicId), workspace_id: workspace.id }),
  ]);
  if (refused) throw new Error('There is a workspace of this id already.');
}

/** Ids and names of every workspace of the deployment. */
export async function listWorkspaces(): Promise<{ id: string; name: string }[]> {
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': registerKey('').pk },
  });
  return items.map((item) => ({ id: String(item.workspace_id), name: String(item.name) }));
}

/** The workspace that a public sign-up form belongs to, null when the id is unknown. */
export async function findWorkspaceByPublicId(publicId: string): Promise<string | null> {
  const { Item } = await documents.send(new GetCommand({ TableName: tableName(), Key: publicIdKey(publicId) }));
  return Item ? String(Item.workspace_id) : null;
}

/** Adds a domain or changes its state; `verifiedAt` null means that SES has not confirmed it yet. */
export async function putDomain(workspaceId: string, name: string, verifiedAt: Date | null, now: Date): Promise<void> {
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: domainKey(workspaceId, name),
      UpdateExpression: 'SET #domain = :domain, verified_at = :verified, created_at = if_not_exists(created_at, :now)',
      ExpressionAttributeNames: { '#domain': 'domain' },
      ExpressionAttributeValues: {
        ':domain': name,
        ':verified': verifiedAt?.toISOString() ?? null,
        ':now': now.toISOString(),
      },
    }),
  );
}

type Settings = Partial<
  Pick<NewWorkspace, 'name' | 'plan' | 'language'> & {
    trackOpens: boolean;
    trackClicks: boolean;
    formOrigins: readonly string[];
  }
>;

const settingNames = {
  name: 'name',
  plan: 'plan',
  language: 'language',
  trackOpens: 'track_opens',
  trackClicks: 'track_clicks',
  formOrigins: 'form_origins',
} as const;

/** Changes the settings that are given and leaves the others. */
export async function updateSettings(workspaceId: string, changes: Settings): Promise<void> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  if (given.length === 0) return;
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: workspaceKey(workspaceId),
      UpdateExpression: `SET ${given.map((_, index) => `#n${index} = :v${index}`).join(', ')}`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: Object.fromEntries(
        given.map(([name], index) => [`#n${index}`, settingNames[name as keyof Settings]]),
      ),
      ExpressionAttributeValues: Object.fromEntries(given.map(([, value], index) => [`:v${index}`, value])),
    }),
  );
}

/** Suspends sending; a workspace that is suspended already keeps the first date and rates. */
export async function suspend(workspaceId: string, suspension: Suspension): Promise<void> {
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: workspaceKey(workspaceId),
      UpdateExpression: 'SET suspension = if_not_exists(suspension, :suspension)',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: {
        ':suspension': {
          since: suspension.since,
          bounce_rate: suspension.bounceRate,
          complaint_rate: suspension.complaintRate,
        },
      },
    }),
  );
}

/** Lifts a suspension. What was counted up to `baseline` no longer counts, or the next bounce would suspend again. */
export async function resume(workspaceId: string, baseline: DayCounts): Promise<void> {
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: workspaceKey(workspaceId),
      UpdateExpression: 'SET reputation_baseline = :baseline REMOVE suspension',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':baseline': baseline },
    }),
  );
}
