import { ServiceError, ValidationError } from '../../contract/errors.ts';
import type { Person } from '../../domain/person/person.ts';
import { addedToSesSuppressionList } from '../../email/sesSuppressionList.ts';
import { config, hasConfig } from '../../platform/config.ts';
import { inParallel } from '../../platform/parallel.ts';
import { pageOfCampaigns } from '../../store/campaign/campaigns.ts';
import { erasedName, type Former, formerKeys, formerPages, restoredRecords } from '../../store/restored/formerTable.ts';
import { stateOfTable } from '../../store/restored/restoredTable.ts';
import { putSendingDecision } from '../../store/sendingDecision.ts';
import { putPlatformSuppression } from '../../store/suppression/platformSuppression.ts';
import { listApiKeys } from '../../store/workspace/apiKeys.ts';
import { listWorkspaces } from '../../store/workspace/workspaces.ts';
import { type RestoredCampaignState, settleRestoredCampaign } from '../campaigns/restoredCampaign.ts';
import type { Context, DeploymentContext } from '../context.ts';
import { settleRestoredEmail } from '../emails/restoredEmail.ts';
import { revokeKey } from '../keys.ts';
import { operatorVerb } from '../operatorVerb.ts';
import { erasePerson } from '../rights/erasePerson.ts';
import { sendingState } from '../sendingHold.ts';
import { settleConfirmation, takeOverRefusals } from './internal/restoredPeople.ts';

export interface CheckInput {
  /** The time that the table shows; by default that of `beginRestoring`. */
  readonly point?: Date | undefined;
  /** The table that was used until the restore; by default that of `beginRestoring`. */
  readonly from?: string | undefined;
  /** True when that table can no longer be read: what it alone knows is then unknown. */
  readonly withoutFormer: boolean;
}

export interface CheckedRestore {
  readonly object: 'restore_check';
  readonly point: string;
  readonly former: Former;
  /** People who left, bounced, complained, or changed their preferences after the point. */
  people: number;
  erased: number;
  /** Additions to the platform's list; without the former table those of SES's own list. */
  platform_suppressions: number;
  /** Emails, outcomes and answers to Idempotency-Keys that were added. */
  sent_records: number;
  api_keys_revoked: number;
  readonly scheduled_emails: Record<'kept' | 'sent' | 'canceled' | 'unknown', number>;
  readonly confirmations: Record<'kept' | 'unknown', number>;
  readonly campaigns: CampaignToDecide[];
}

interface CampaignToDecide {
  readonly workspace_id: string;
  readonly id: string;
  readonly name: string;
  readonly state: Exclude<RestoredCampaignState, 'kept'>;
  readonly uncertain: number;
}

/**
 * Takes over into a restored table what happened after its point in time: what people decided against mail, what was
 * sent, and what was canceled. What was under way and cannot be known counts as unknown and is not sent again. All
 * sending must be held. Idempotent: after a failure it may be repeated.
 */
export const checkRestored = /* @__PURE__ */ operatorVerb(
  { action: 'restore.check', needs: 'platform', note: ({ from }) => from },
  async (context: DeploymentContext, input: CheckInput): Promise<CheckedRestore> => {
    const { point, former } = await whatToCheck(input);
    const result: CheckedRestore = {
      ...{ object: 'restore_check', point: point.toISOString(), former },
      ...{ people: 0, erased: 0, platform_suppressions: 0, sent_records: 0, api_keys_revoked: 0 },
      scheduled_emails: { kept: 0, sent: 0, canceled: 0, unknown: 0 },
      confirmations: { kept: 0, unknown: 0 },
      campaigns: [],
    };
    const erased = former === null ? new Set<string>() : await takeOverDecisions(former, result);
    if (former === null) await takeOverSesList(point, result);
    await settleRecords(context, { point, former, erased }, result);
    for (const { id } of await listWorkspaces()) {
      const inside = { ...context, workspaceId: id };
      await settleCampaigns(inside, former, result);
      if (former !== null) await revokeKeys(inside, former, result);
    }
    await noteChecked(context, { point, former });
    return result;
  },
);

async function whatToCheck(input: CheckInput): Promise<{ readonly point: Date; readonly former: Former }> {
  const { isHeld, decision } = await sendingState();
  if (!isHeld) throw new ServiceError('conflict', { text: texts.notHeld });
  const known = decision?.restored;
  const point = input.point ?? (known && new Date(known.point));
  if (!point) throw new ValidationError([{ path: 'point', text: texts.noPoint }]);
  const former = input.withoutFormer ? null : (input.from ?? known?.from ?? null);
  if (former === null && !input.withoutFormer) throw new ValidationError([{ path: 'from', text: texts.noFormer }]);
  if (former === config('TABLE_NAME')) throw new ValidationError([{ path: 'from', text: texts.itself }]);
  if (former !== null && (await stateOfTable(former)) !== 'ready') {
    throw new ValidationError([{ path: 'from', text: texts.unreadable }]);
  }
  return { point, former };
}

const texts = {
  notHeld: {
    en: 'Sending is not held: hold it before the restored table is checked.',
    fr: 'Les envois ne sont pas bloqués : bloquez-les avant de vérifier la table restaurée.',
  },
  noPoint: {
    en: 'This table was not restored by this command: name the time that it shows.',
    fr: 'Cette table n’a pas été restaurée par cette commande : indiquez l’instant qu’elle reflète.',
  },
  noFormer: {
    en: 'Name the table that was used until now, or say that it can no longer be read.',
    fr: 'Indiquez la table utilisée jusqu’ici, ou précisez qu’elle n’est plus lisible.',
  },
  itself: { en: 'is the restored table itself', fr: 'est la table restaurée elle-même' },
  unreadable: { en: 'cannot be read', fr: 'est illisible' },
};

const peopleAtOnce = 16;

/** Returns whom workspaces have erased, by `erasedName`. */
async function takeOverDecisions(former: string, result: CheckedRestore): Promise<ReadonlySet<string>> {
  const erased = new Set<string>();
  for await (const page of formerPages(former)) {
    for (const name of page.erased) erased.add(name);
    result.sent_records += page.added;
    const changed = await inParallel(peopleAtOnce, page.people, takeOverRefusals);
    result.people += changed.filter(Boolean).length;
    const added = await inParallel(peopleAtOnce, page.platform, ({ email, reason, at }) =>
      putPlatformSuppression(email, reason, new Date(at)),
    );
    result.platform_suppressions += added.filter(Boolean).length;
  }
  return erased;
}

/** SES keeps a list of its own, which outlives the table. The local SES has none. */
async function takeOverSesList(point: Date, result: CheckedRestore): Promise<void> {
  if (!hasConfig('STACK_NAME')) return;
  for await (const { email, reason, at } of addedToSesSuppressionList(point)) {
    if (await putPlatformSuppression(email, reason, at)) result.platform_suppressions += 1;
  }
}

interface Checked {
  readonly point: Date;
  readonly former: Former;
  readonly erased: ReadonlySet<string>;
}

async function settleRecords(context: DeploymentContext, checked: Checked, result: CheckedRestore): Promise<void> {
  const toErase: Person[] = [];
  for await (const records of restoredRecords(checked.former)) {
    await inParallel(peopleAtOnce, records, async (record) => {
      if (record.kind === 'scheduled') {
        result.scheduled_emails[await settleRestoredEmail(record.here, record.former, context.now)] += 1;
        return;
      }
      const { here, former } = record;
      // Somebody who signed up again after the erasure is in the former table.
      if (former === null && checked.erased.has(await erasedName(here.workspaceId, here.email))) toErase.push(here);
      const outcome = await settleConfirmation(here, former, checked.point);
      if (outcome !== 'none') result.confirmations[outcome] += 1;
    });
  }
  for (const { workspaceId, email } of toErase) {
    await erasePerson({ ...context, workspaceId }, { email });
    result.erased += 1;
  }
}

const campaignsOfPage = 100;

async function settleCampaigns(context: Context, former: Former, result: CheckedRestore): Promise<void> {
  for (const status of ['sending', 'scheduled', 'draft'] as const) {
    // Read to the end first: a settled campaign leaves the list of its status.
    const campaigns = [];
    let after: string | undefined;
    do {
      const page = await pageOfCampaigns(context.workspaceId, { status, limit: campaignsOfPage, after });
      campaigns.push(...page.entries);
      after = page.next ?? undefined;
    } while (after !== undefined);
    for (const campaign of campaigns) {
      const { state, uncertain } = await settleRestoredCampaign(context, campaign, former);
      const { id, name } = campaign;
      if (state !== 'kept') result.campaigns.push({ workspace_id: context.workspaceId, id, name, state, uncertain });
    }
  }
}

/** Keys that were revoked after the point. */
async function revokeKeys(context: Context, former: string, result: CheckedRestore): Promise<void> {
  const before = new Map((await formerKeys(former, context.workspaceId)).map((key) => [key.keyId, key]));
  for (const { keyId, revokedAt } of await listApiKeys(context.workspaceId)) {
    const key = before.get(keyId);
    if (revokedAt !== null || (key && key.revokedAt === null)) continue;
    await revokeKey(context, { id: keyId });
    result.api_keys_revoked += 1;
  }
}

/** From here on sending may be released. */
async function noteChecked(
  { actor, now }: DeploymentContext,
  { point, former }: { readonly point: Date; readonly former: Former },
): Promise<void> {
  const { decision } = await sendingState();
  const by = actor.kind === 'operator' ? actor.name : null;
  const held = decision ?? { state: 'held' as const, since: now.toISOString(), by, note: null };
  const restored = { point: point.toISOString(), from: former, checkedAt: now.toISOString() };
  await putSendingDecision({ ...held, state: 'held', restored });
}
