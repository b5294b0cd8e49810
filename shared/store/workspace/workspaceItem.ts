import * as z from 'zod';
import { planNames } from '../../domain/sending/plan.ts';
import type {
  Domain,
  MailKind,
  NewWorkspace,
  Sender,
  Workspace,
  WorkspaceSettings,
} from '../../domain/workspace/workspace.ts';
import { defaultLanguage, languageTags } from '../../language/languages.ts';
import { workspaceKey } from '../table/keys.ts';
import type { Item } from '../table/table.ts';

const kinds = z.array(z.object({ tag: z.string(), name: z.string() })).default([]);

/** Of the item of a workspace, what a campaign asks for at each call. */
export const kindsOf = (item: Item): readonly MailKind[] => kinds.parse(item.kinds);

/** A language that only a later release speaks is the reader's own. */
const form = z.object({
  text: z.string().optional(),
  privacyUrl: z.string().optional(),
  redirectUrl: z.string().optional(),
  language: z.enum(languageTags).optional().catch(undefined),
  fields: z
    .array(z.object({ name: z.string(), label: z.string(), choices: z.array(z.string()).optional() }))
    .optional(),
});

const record = z.object({
  workspace_id: z.string(),
  public_id: z.string(),
  name: z.string(),
  plan: z.enum(planNames),
  /** One that only a later release speaks is no reason to send nothing. */
  language: z.enum(languageTags).catch(defaultLanguage),
  track_opens: z.boolean(),
  track_clicks: z.boolean(),
  created_at: z.string(),
  suspension: z.object({ since: z.string(), bounce_rate: z.number(), complaint_rate: z.number() }).nullish(),
  reputation_baseline: z
    .object({
      date: z.string(),
      sent: z.number(),
      delivered: z.number(),
      bounced: z.number(),
      complained: z.number(),
    })
    .nullish(),
  form_origins: z.array(z.string()).default([]),
  form: form.optional(),
  kinds,
});

const domain = z
  .object({ domain: z.string(), verified_at: z.string().nullish() })
  .transform((item): Domain => ({ domain: item.domain, verified: Boolean(item.verified_at) }));

const sender = z
  .object({ email: z.string(), name: z.string().nullish(), default: z.boolean() })
  .transform((item): Sender => ({ email: item.email, name: item.name ?? null, default: item.default }));

/** The workspace of a partition's items; null when they are nobody's. */
export function workspaceOf(items: readonly Item[]): Workspace | null {
  const own = items.find((item) => item.sk === 'WORKSPACE');
  if (!own) return null;
  const read = record.parse(own);
  const { suspension } = read;
  return {
    id: read.workspace_id,
    publicId: read.public_id,
    name: read.name,
    plan: read.plan,
    language: read.language,
    trackOpens: read.track_opens,
    trackClicks: read.track_clicks,
    createdAt: read.created_at,
    suspension: suspension
      ? { since: suspension.since, bounceRate: suspension.bounce_rate, complaintRate: suspension.complaint_rate }
      : null,
    reputationBaseline: read.reputation_baseline ?? null,
    formOrigins: read.form_origins,
    ...(read.form && { form: read.form }),
    kinds: read.kinds,
    domains: items.filter((item) => String(item.sk).startsWith('DOMAIN#')).map((item) => domain.parse(item)),
    senders: items.filter((item) => String(item.sk).startsWith('SENDER#')).map((item) => sender.parse(item)),
  };
}

export function newWorkspaceItem(workspace: NewWorkspace): Item {
  return {
    ...workspaceKey(workspace.id),
    workspace_id: workspace.id,
    public_id: workspace.publicId,
    name: workspace.name,
    plan: workspace.plan,
    language: workspace.language,
    track_opens: true,
    track_clicks: true,
    created_at: workspace.createdAt,
  };
}

const settingNames = {
  name: 'name',
  plan: 'plan',
  language: 'language',
  trackOpens: 'track_opens',
  trackClicks: 'track_clicks',
  formOrigins: 'form_origins',
  form: 'form',
  kinds: 'kinds',
} as const satisfies Record<keyof WorkspaceSettings, string>;

/** The settings that are given; the others are left alone. */
export function settingAttributes(settings: Partial<WorkspaceSettings>): Item {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [settingNames[name as keyof WorkspaceSettings], value]));
}
