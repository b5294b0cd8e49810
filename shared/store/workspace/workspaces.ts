import * as z from 'zod';
import type { FrequencyCap } from '../../domain/sending/frequencyCap.ts';
import { planNames } from '../../domain/sending/quota.ts';
import type { DayCounts } from '../../domain/sending/reputation.ts';
import type { TypeOfSend } from '../../domain/webhook/webhook.ts';
import { domainProofs } from '../../domain/workspace/domainOwnership.ts';
import { type MailBrand, mailAlignments, mailFontNames } from '../../domain/workspace/mailBrand.ts';
import type { Topic } from '../../domain/workspace/topic.ts';
import type {
  ConfirmationPause,
  Domain,
  FormSettings,
  NewWorkspace,
  Sender,
  Suspension,
  Workspace,
  WorkspaceSettings,
} from '../../domain/workspace/workspace.ts';
import { defaultLanguage, type Language, languageTags } from '../../language/languages.ts';
import { readTogether } from '../table/batches.ts';
import { domainKey, publicIdKey, registerKey, senderKey, workspaceKey, workspacePartition } from '../table/keys.ts';
import { type Consistency, getItem, type Item, queryAll, queryItems, type TransactionPart } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { changeItem, changePart, checkPart, deletePart, putPart, upsertItem } from '../table/write.ts';

/** Under the name that topics had at first. */
const kinds = z
  .array(
    z.object({
      tag: z.string(),
      name: z.string(),
      description: z.string().optional(),
      createdAt: z.string().optional(),
    }),
  )
  .default([]);

/** The topics in a workspace's item, which a campaign reads before each call. */
export const topicsOf = (item: Item): readonly Topic[] => kinds.parse(item.kinds);

/** Whether a workspace's item says that nothing may be sent: it is suspended or being deleted. */
export const isStopped = (item: Item): boolean => Boolean(item.suspension ?? item.ended_at);

const frequencyCap = z.object({ messages: z.number(), days: z.number() });

/** The frequency cap in a workspace's item, which a campaign reads before each call; null for none. */
export const frequencyCapOf = (item: Item): FrequencyCap | null =>
  frequencyCap.optional().parse(item.frequency_cap) ?? null;

/** Types of events of which a webhook ever wanted to know. */
const listened = z.set(z.string());

/** Whether a workspace's item says that a webhook may want events of this type. */
export const isListened = (item: Item, type: TypeOfSend): boolean =>
  listened.safeParse(item.listened).data?.has(type) ?? false;

/** A language that only a later release knows is replaced by the reader's own. */
const form = z.object({
  text: z.string().optional(),
  privacyUrl: z.string().optional(),
  redirectUrl: z.string().optional(),
  language: z.enum(languageTags).optional().catch(undefined),
  fields: z
    .array(z.object({ name: z.string(), label: z.string(), choices: z.array(z.string()).optional() }))
    .optional(),
});

/** What only a later release knows is replaced by the default. */
const mailBrand = z.object({
  accent: z.string().optional(),
  background: z.string().optional(),
  text: z.string().optional(),
  font: z.enum(mailFontNames).optional().catch(undefined),
  width: z.number().optional(),
  align: z.enum(mailAlignments).optional().catch(undefined),
  logoUrl: z.string().optional(),
  logoWidth: z.number().optional(),
  name: z.string().optional(),
  address: z.string().optional(),
  links: z.array(z.string()).optional(),
  requiresAddress: z.boolean().optional(),
}) satisfies z.ZodType<MailBrand>;

const dayCounts = z.object({
  date: z.string(),
  sent: z.number(),
  delivered: z.number(),
  bounced: z.number(),
  complained: z.number(),
});
const suspension = { since: z.string(), bounce_rate: z.number(), complaint_rate: z.number() };

const record = z.object({
  workspace_id: z.string(),
  public_id: z.string(),
  name: z.string(),
  plan: z.enum(planNames),
  /** A language that only a later release knows must not prevent sending. */
  language: z.enum(languageTags).catch(defaultLanguage),
  track_opens: z.boolean(),
  track_clicks: z.boolean(),
  created_at: z.string(),
  suspension: z.object(suspension).nullish(),
  /** When its deletion began. It is never removed, so a condition on its absence cannot be met again. */
  ended_at: z.string().optional(),
  reputation_baseline: dayCounts.nullish(),
  confirmation_pause: z.object({ ...suspension, until: z.string(), baseline: dayCounts }).nullish(),
  form_origins: z.array(z.string()).default([]),
  form: form.optional(),
  kinds,
  sender_changes: z.number().optional(),
  form_changes: z.number().optional(),
  mail_brand: mailBrand.optional(),
  brand_changes: z.number().optional(),
  listened: listened.optional(),
  frequency_cap: frequencyCap.optional(),
});

export type WorkspaceRecord = Omit<z.input<typeof record>, 'language' | 'form' | 'mail_brand'> & {
  readonly language: Language;
  readonly mail_brand?: MailBrand;
  readonly form?: WorkspaceSettings['form'];
};

const domain = z.object({
  domain: z.string(),
  verified_at: z.string().nullish(),
  created_at: z.string().optional(),
  proof: z.enum(domainProofs).optional(),
  ceded: z.set(z.string()).optional(),
});
export type DomainRecord = z.input<typeof domain>;

function domainOf(item: Item): Domain {
  const { domain: name, verified_at, proof, ceded } = domain.parse(item);
  // A domain that was verified before domains had holders belongs to every workspace that has it.
  const held = proof ?? (verified_at ? 'grandfathered' : undefined);
  const own = { domain: name, verified: Boolean(verified_at) };
  return { ...own, ...(held && { proof: held }), ...(ceded && { ceded: [...ceded].sort() }) };
}

const sender = z.object({
  email: z.string(),
  name: z.string().nullish(),
  default: z.boolean(),
  created_at: z.string().optional(),
});
type SenderRecord = z.input<typeof sender>;

function senderOf(item: Item): Sender {
  const { email, name = null, default: isDefault, created_at: createdAt } = sender.parse(item);
  return { email, name, default: isDefault, ...(createdAt !== undefined && { createdAt }) };
}

/** The workspace in the items of its partition; null when there is none. */
function workspaceOf(items: readonly Item[]): Workspace | null {
  const own = items.find((item) => item.sk === 'WORKSPACE');
  if (!own) return null;
  const read = record.parse(own);
  const { ended_at: endedAt, confirmation_pause: pause } = read;
  const suspension = read.suspension ?? (endedAt ? { since: endedAt, bounce_rate: 0, complaint_rate: 0 } : null);
  return {
    id: read.workspace_id,
    publicId: read.public_id,
    name: read.name,
    plan: read.plan,
    language: read.language,
    trackOpens: read.track_opens,
    trackClicks: read.track_clicks,
    createdAt: read.created_at,
    suspension: suspension ? suspensionOf(suspension) : null,
    ...(endedAt && { endedAt }),
    reputationBaseline: read.reputation_baseline ?? null,
    confirmationPause: pause ? { ...suspensionOf(pause), until: pause.until, baseline: pause.baseline } : null,
    formOrigins: read.form_origins,
    ...(read.form && { form: read.form }),
    kinds: read.kinds,
    domains: items.filter((item) => String(item.sk).startsWith('DOMAIN#')).map(domainOf),
    senders: items.filter((item) => String(item.sk).startsWith('SENDER#')).map(senderOf),
    ...(read.sender_changes !== undefined && { senderChanges: read.sender_changes }),
    ...(read.form_changes !== undefined && { formChanges: read.form_changes }),
    ...(read.frequency_cap && { frequencyCap: read.frequency_cap }),
    ...(read.mail_brand && { mailBrand: read.mail_brand }),
    ...(read.brand_changes !== undefined && { brandChanges: read.brand_changes }),
    ...(read.listened && { listened: [...read.listened].sort() }),
  };
}

const suspensionOf = ({ since, bounce_rate, complaint_rate }: StoredSuspension): Suspension => ({
  since,
  bounceRate: bounce_rate,
  complaintRate: complaint_rate,
});
type StoredSuspension = NonNullable<z.output<typeof record>['suspension']>;

const newWorkspaceRecord = (workspace: NewWorkspace): WorkspaceRecord => ({
  workspace_id: workspace.id,
  public_id: workspace.publicId,
  name: workspace.name,
  plan: workspace.plan,
  language: workspace.language,
  track_opens: true,
  track_clicks: true,
  created_at: workspace.createdAt,
});

/** The settings that are given; the others are undefined. */
const settingAttributes = ({
  trackOpens,
  trackClicks,
  formOrigins,
  form,
  kinds,
  ...same
}: Partial<WorkspaceSettings>): Partial<WorkspaceRecord> => ({
  ...same,
  track_opens: trackOpens,
  track_clicks: trackClicks,
  form_origins: formOrigins && [...formOrigins],
  form,
  kinds: kinds && [...kinds],
});

/** One query: settings, domains and senders. Null when there is no such workspace. */
export async function getWorkspace(
  workspaceId: string,
  consistency: Consistency = 'eventual',
): Promise<Workspace | null> {
  return workspaceOf(await queryItems({ partition: workspacePartition(workspaceId), consistency }));
}

/** The frequency cap, strongly consistent; null for none. Concurrent requests share a read. */
export async function getFrequencyCap(workspaceId: string): Promise<FrequencyCap | null> {
  const [item] = await readTogether([workspaceKey(workspaceId)]);
  return item ? frequencyCapOf(item) : null;
}

/** Whether a workspace is being deleted, strongly consistent; null when there is none. */
export async function isWorkspaceEnded(workspaceId: string): Promise<boolean | null> {
  const item = await getItem(workspaceKey(workspaceId));
  return item && item.ended_at !== undefined;
}

/** The condition that a workspace is not being deleted: a part of transactions that would open it again. */
export const openPart = (workspaceId: string): TransactionPart =>
  checkPart<WorkspaceRecord>(workspaceKey(workspaceId), { if: [['ended_at', 'absent']] });

/** A workspace in the register of all workspaces. */
export interface RegisterRecord {
  readonly workspace_id: string;
  readonly name: string;
  readonly ended_at?: string;
}

/** The workspace, its entry in the register and its public id, in one transaction. */
export async function putWorkspace(workspace: NewWorkspace): Promise<void> {
  const { id, name, publicId } = workspace;
  const isNew = { if: [['pk', 'absent']] } as const;
  const refused = await transact([
    putPart<WorkspaceRecord>(workspaceKey(id), newWorkspaceRecord(workspace), isNew),
    putPart<RegisterRecord>(registerKey(id), { workspace_id: id, name }, isNew),
    putPart<{ readonly workspace_id: string }>(publicIdKey(publicId), { workspace_id: id }, isNew),
  ]);
  if (refused) throw new Error('There is a workspace of this id already.');
}

/** Every workspace of the deployment, including those that are being deleted. */
export async function listWorkspaces(): Promise<Pick<Workspace, 'id' | 'name' | 'endedAt'>[]> {
  const items = await queryAll({ partition: registerKey('').pk });
  return items.map(({ workspace_id, name, ended_at }) => ({
    ...{ id: String(workspace_id), name: String(name) },
    ...(ended_at !== undefined && { endedAt: String(ended_at) }),
  }));
}

/** The workspace that a public sign-up form belongs to, null when the id is unknown. */
export async function findWorkspaceByPublicId(publicId: string): Promise<string | null> {
  const item = await getItem(publicIdKey(publicId), 'eventual');
  return item && String(item.workspace_id);
}

/**
 * Adds a domain to a workspace's list; a `verifiedAt` of null means that mail may not be sent from it. `claimDomain`
 * writes the holder.
 */
export async function putDomain(workspaceId: string, name: string, verifiedAt: Date | null, now: Date): Promise<void> {
  await upsertItem<DomainRecord>(domainKey(workspaceId, name), {
    set: { domain: name, verified_at: verifiedAt?.toISOString() ?? null },
    setIfAbsent: { created_at: now.toISOString() },
  });
}

/** The workspace and its entry in the register, in one transaction; false when there is no such workspace. */
export async function renameWorkspace(workspaceId: string, name: string): Promise<boolean> {
  const keys = [workspaceKey(workspaceId), registerKey(workspaceId)];
  const parts = keys.map((key) => changePart<RegisterRecord>(key, { set: { name }, if: [['pk', 'exists']] }));
  return (await transact(parts)) === null;
}

/** Changes the given settings; false when there is no such workspace. */
export async function updateSettings(workspaceId: string, settings: Partial<WorkspaceSettings>): Promise<boolean> {
  const set = settingAttributes(settings);
  if (Object.values(set).every((value) => value === undefined)) return true;
  return (await changeItem<WorkspaceRecord>(workspaceKey(workspaceId), { set })) !== null;
}

/** Sets or removes the frequency cap; false when there is no such workspace. */
export async function changeFrequencyCap(workspaceId: string, cap: FrequencyCap | null): Promise<boolean> {
  const change = cap ? { set: { frequency_cap: { ...cap } } } : { remove: ['frequency_cap' as const] };
  return (await changeItem<WorkspaceRecord>(workspaceKey(workspaceId), change)) !== null;
}

/** Replaces the settings of the form; false when they have changed since the workspace was read. */
export async function changeForm(
  { id, formChanges }: Pick<Workspace, 'id' | 'formChanges'>,
  form: FormSettings,
): Promise<boolean> {
  const change = {
    set: { form, form_changes: (formChanges ?? 0) + 1 },
    expect: { form_changes: formChanges, ended_at: undefined },
  };
  return (await changeItem<WorkspaceRecord>(workspaceKey(id), change)) !== null;
}

/** Adds to the types of which sends tell the webhooks. Nothing takes one out again. */
export async function noteListened(workspaceId: string, types: readonly TypeOfSend[]): Promise<void> {
  await changeItem<WorkspaceRecord>(workspaceKey(workspaceId), { add: { listened: new Set(types) } });
}

/** Suspends sending; false when it is suspended already: the first date and rates stay. */
export async function suspend(workspaceId: string, suspension: Suspension): Promise<boolean> {
  const { since, bounceRate, complaintRate } = suspension;
  const suspended = await changeItem<WorkspaceRecord>(workspaceKey(workspaceId), {
    set: { suspension: { since, bounce_rate: bounceRate, complaint_rate: complaintRate } },
    expect: { suspension: undefined },
  });
  return suspended !== null;
}

/**
 * Lifts a suspension. Counts up to `baseline` are ignored from now on, or the next bounce would suspend again. False
 * when there is no such workspace, or it is being deleted.
 */
export async function resume(workspaceId: string, baseline: DayCounts): Promise<boolean> {
  const resumed = await changeItem<WorkspaceRecord>(workspaceKey(workspaceId), {
    set: { reputation_baseline: baseline },
    remove: ['suspension'],
    expect: { ended_at: undefined },
  });
  return resumed !== null;
}

/** Pauses confirmations, unless they are paused at `now` already. */
export async function pauseConfirmations(workspaceId: string, pause: ConfirmationPause, now: Date): Promise<void> {
  const { since, until, baseline, bounceRate, complaintRate } = pause;
  const stored = { since, until, baseline, bounce_rate: bounceRate, complaint_rate: complaintRate };
  await changeItem<WorkspaceRecord>(workspaceKey(workspaceId), {
    set: { confirmation_pause: stored },
    if: [
      {
        any: [
          ['confirmation_pause', 'absent'],
          [['confirmation_pause', 'until'], '<=', now.toISOString()],
        ],
      },
    ],
  });
}

/** Ends a pause at `now`. Outcomes up to `baseline` no longer count. */
export async function endConfirmationPause(workspaceId: string, baseline: DayCounts, now: Date): Promise<void> {
  const since = now.toISOString();
  const ended = { since, until: since, baseline, bounce_rate: 0, complaint_rate: 0 };
  await changeItem<WorkspaceRecord>(workspaceKey(workspaceId), { set: { confirmation_pause: ended } });
}

const senderParts = (workspaceId: string, senders: readonly Sender[], now: Date): TransactionPart[] =>
  senders.map(({ email, name, default: isDefault }) =>
    changePart<SenderRecord>(senderKey(workspaceId, email), {
      set: { email, name, default: isDefault },
      setIfAbsent: { created_at: now.toISOString() },
    }),
  );

/** Writes the senders of a new workspace. */
export async function putSenders(workspaceId: string, senders: readonly Sender[], now: Date): Promise<void> {
  await transact(senderParts(workspaceId, senders, now));
}

export interface SenderChange {
  readonly put?: readonly Sender[];
  /** An address. */
  readonly removed?: string;
}

/**
 * Changes senders in one transaction, so that there is always exactly one default. False when the workspace is being
 * deleted, or its senders have changed since it was read.
 */
export async function changeSenders(
  { id, senderChanges }: Pick<Workspace, 'id' | 'senderChanges'>,
  { put = [], removed }: SenderChange,
  now: Date,
): Promise<boolean> {
  const refused = await transact([
    changePart<WorkspaceRecord>(workspaceKey(id), {
      set: { sender_changes: (senderChanges ?? 0) + 1 },
      expect: { sender_changes: senderChanges, ended_at: undefined },
      if: [['pk', 'exists']],
    }),
    ...senderParts(id, put, now),
    ...(removed === undefined ? [] : [deletePart<SenderRecord>(senderKey(id, removed))]),
  ]);
  return refused === null;
}
