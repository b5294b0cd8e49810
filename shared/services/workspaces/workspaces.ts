import { randomBytes } from 'node:crypto';
import { ValidationError } from '../../contract/errors.ts';
import { createId } from '../../domain/identifier.ts';
import { monthOf, type PlanName, plans } from '../../domain/sending/quota.ts';
import { isPaused } from '../../domain/workspace/workspace.ts';
import type { Language } from '../../language/languages.ts';
import { getMonth } from '../../store/quota/months.ts';
import { ensureSalt } from '../../store/suppression/platformSuppression.ts';
import { listApiKeys, revokeApiKey } from '../../store/workspace/apiKeys.ts';
import { closeWorkspace, getDeletion, startDeletion } from '../../store/workspace/deletions.ts';
import {
  listWorkspaces as listStoredWorkspaces,
  putWorkspace,
  renameWorkspace as renameStoredWorkspace,
  updateSettings,
} from '../../store/workspace/workspaces.ts';
import type { Context, DeploymentContext } from '../context.ts';
import { existingOrEnded, existingWorkspace } from '../existingWorkspace.ts';
import { mayEnter, operatorVerb, requireOperator } from '../operatorVerb.ts';
import { currentReputation } from '../reputation.ts';

/** Creates an empty workspace. Its public id is part of the URL of its sign-up form and gives no other access. */
export const createWorkspace = /* @__PURE__ */ operatorVerb(
  { action: 'workspace.create', needs: 'platform', subject: ({ name }) => name },
  async (
    context: DeploymentContext,
    { name, plan, language }: { readonly name: string; readonly plan: PlanName; readonly language: Language },
  ) => {
    const id = createId('ws', context.now);
    const publicId = randomBytes(12).toString('base64url');
    const createdAt = context.now.toISOString();
    // Processes cache only an existing salt: without one, every send would read it again.
    await ensureSalt();
    await putWorkspace({ id, publicId, name, plan, language, createdAt });
    return { object: 'workspace' as const, id, name, public_id: publicId, plan, language, created_at: createdAt };
  },
);

/** The workspaces that an operator may enter. */
export async function listWorkspaces({ actor }: DeploymentContext) {
  const own = actor.kind === 'operator' ? actor.workspaceId : null;
  requireOperator(own === null ? { actor } : { actor, workspaceId: own }, 'read');
  return (await listStoredWorkspaces())
    .filter(({ id }) => actor.kind === 'operator' && mayEnter(actor, id))
    .map(({ id, name, endedAt }) => ({ object: 'workspace' as const, id, name, ...(endedAt && { deleting: true }) }));
}

/** The workspace for the layout of each page, for one query. Throws `not_found`. */
export async function enterWorkspace(context: Context) {
  requireOperator(context, 'read');
  const { id, name } = await existingWorkspace(context.workspaceId);
  return { object: 'workspace' as const, id, name };
}

/** The settings, domains, senders, usage of the month and reputation of a workspace. */
export async function showWorkspace(context: Context) {
  requireOperator(context, 'read');
  const workspace = await existingOrEnded(context.workspaceId);
  const [{ used }, { bounceRate, complaintRate }, deletion] = await Promise.all([
    getMonth(workspace.id, monthOf(context.now)),
    currentReputation(workspace, context.now),
    getDeletion(workspace.id),
  ]);
  return {
    object: 'workspace' as const,
    id: workspace.id,
    name: workspace.name,
    public_id: workspace.publicId,
    plan: workspace.plan,
    language: workspace.language,
    monthly_quota: plans[workspace.plan].monthlyQuota,
    used_this_month: used,
    sending: {
      suspended: workspace.suspension !== null,
      suspended_at: workspace.suspension?.since ?? null,
      bounce_rate: bounceRate,
      complaint_rate: complaintRate,
    },
    confirmations: {
      paused_until: isPaused(workspace, context.now) ? (workspace.confirmationPause?.until ?? null) : null,
    },
    tracking: { opens: workspace.trackOpens, clicks: workspace.trackClicks },
    frequency_cap: workspace.frequencyCap ?? null,
    domains: workspace.domains,
    senders: workspace.senders,
    deletion: deletion && {
      requested_at: deletion.requestedAt,
      deleted: deletion.deleted,
      scanned: deletion.scanned,
      passes: deletion.passes,
    },
    created_at: workspace.createdAt,
  };
}

/** Renames a workspace, on its pages and in later messages. */
export const renameWorkspace = /* @__PURE__ */ operatorVerb(
  { action: 'workspace.rename', needs: 'own', subject: ({ name }) => name },
  async (context: Context, { name }: { readonly name: string }) => {
    const { id } = await existingWorkspace(context.workspaceId);
    await renameStoredWorkspace(id, name);
    return { object: 'workspace' as const, id, name };
  },
);

/** Changes the language of a workspace's messages, and of its pages for browsers without a preference. */
export const setLanguage = /* @__PURE__ */ operatorVerb(
  { action: 'language.set', needs: 'change', subject: ({ language }) => language },
  async (context: Context, { language }: { readonly language: Language }) => {
    const { id, name } = await existingWorkspace(context.workspaceId);
    await updateSettings(id, { language });
    return { object: 'workspace' as const, id, name, language };
  },
);

/** Changes the monthly quota of a workspace, with immediate effect. */
export const setPlan = /* @__PURE__ */ operatorVerb(
  { action: 'plan.set', needs: 'platform', subject: ({ plan }) => plan },
  async (context: Context, { plan }: { readonly plan: PlanName }) => {
    const { id } = await existingWorkspace(context.workspaceId);
    await updateSettings(id, { plan });
    return { object: 'plan' as const, workspace_id: id, name: plan, monthly_quota: plans[plan].monthlyQuota };
  },
);

/** Switches open and click tracking for mail that is sent from now on; an omitted switch stays as it is. */
export const setTracking = /* @__PURE__ */ operatorVerb(
  { action: 'tracking.set', needs: 'change' },
  async (
    context: Context,
    switches: { readonly opens?: boolean | undefined; readonly clicks?: boolean | undefined },
  ) => {
    const { id, trackOpens, trackClicks } = await existingWorkspace(context.workspaceId);
    const { opens = trackOpens, clicks = trackClicks } = switches;
    await updateSettings(id, { trackOpens: opens, trackClicks: clicks });
    return { object: 'tracking' as const, workspace_id: id, opens, clicks };
  },
);

/**
 * Deletes a workspace: it is closed and its keys are revoked at once, and the sweeper deletes all its data, including
 * the suppression list. `name` must be its name, because nothing can be restored. Idempotent.
 */
export const deleteWorkspace = /* @__PURE__ */ operatorVerb(
  { action: 'workspace.delete', needs: 'own', subject: ({ name }) => name, ofDeployment: true },
  async (context: Context, { name }: { readonly name: string }) => {
    const workspace = await existingOrEnded(context.workspaceId);
    if (name !== workspace.name) throw wrongName(workspace.name);
    // If this process crashes, the sweeper closes the recorded workspace. Once it is closed, no further key can be
    // created.
    await startDeletion(workspace.id, context.now);
    await closeWorkspace(workspace.id, context.now);
    const keys = await listApiKeys(workspace.id);
    await Promise.all(keys.filter(({ revokedAt }) => !revokedAt).map((key) => revokeApiKey(key, context.now)));
    return { object: 'workspace' as const, id: workspace.id, name: workspace.name, deleting: true };
  },
);

const wrongName = (name: string): ValidationError =>
  new ValidationError([
    {
      path: 'name',
      text: {
        en: `is not the name of this workspace: to delete it permanently, enter "${name}"`,
        fr: `n’est pas le nom de cet espace : pour le supprimer définitivement, saisissez « ${name} »`,
      },
    },
  ]);
