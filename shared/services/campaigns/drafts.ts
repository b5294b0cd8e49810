import { ServiceError, ValidationError } from '../../contract/errors.ts';
import type { WrittenDraft } from '../../contract/schemas/campaignDraft.ts';
import { type Campaign, mayBecome } from '../../domain/campaign/campaign.ts';
import type { CampaignContent } from '../../domain/content/block.ts';
import { withPrefix } from '../../domain/identifier.ts';
import { text } from '../../language/text.ts';
import { addCampaign, changeDraft, deleteDraft, getCampaign, moveCampaign } from '../../store/campaign/campaigns.ts';
import { type Context, newId } from '../context.ts';
import { audited, operatorVerb, requireOperator } from '../operatorVerb.ts';
import { draftOf } from './internal/checks.ts';
import { isStoredAlike, storedContent, writtenContent } from './internal/content.ts';
import { findCampaign } from './readCampaigns.ts';

/** A campaign as the editor opens it. */
export interface OpenDraft {
  readonly id: string;
  readonly status: Campaign['status'];
  readonly revision: number;
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
  /** ISO 8601 UTC; null unless it is scheduled. */
  readonly scheduledAt: string | null;
  readonly draft: WrittenDraft;
}

export async function readDraft(context: Context, { id }: { readonly id: string }): Promise<OpenDraft> {
  requireOperator(context, 'read');
  const campaign = await findCampaign(context.workspaceId, id);
  return opened(campaign, await writtenContent(campaign));
}

const opened = (campaign: Campaign, content: CampaignContent): OpenDraft => ({
  id: campaign.id,
  status: campaign.status,
  revision: campaign.revision ?? 0,
  updatedAt: campaign.updatedAt,
  scheduledAt: campaign.scheduledAt,
  draft: draftOf(campaign, content),
});

interface SaveRequest {
  readonly id: string;
  /** The revision that the author edited. */
  readonly revision: number;
  readonly draft: WrittenDraft;
}

/** Saves by one operator within this time make one entry in the audit log: the editor saves at every pause. */
const entryMilliseconds = 15 * 60 * 1000;

/**
 * Saves a draft. Throws `conflict`, and overwrites nothing, when it was changed after the author opened it. Saving the
 * same content again succeeds without a change, so that a lost answer can be retried.
 */
export async function saveDraft(context: Context, input: SaveRequest): Promise<OpenDraft> {
  requireOperator(context, 'change');
  const { actor, workspaceId, now } = context;
  if (actor.kind !== 'operator') throw new ServiceError('insufficient_scope');
  const campaign = await findCampaign(workspaceId, input.id);
  if (campaign.status !== 'draft') throw notADraft(campaign);
  const content = await writtenContent(campaign);
  if (isStoredAlike(draftOf(campaign, content), input.draft)) return opened(campaign, content);
  if ((campaign.revision ?? 0) !== input.revision) throw overtaken();
  const { noted: entry } = campaign;
  const isNoted = entry?.by === actor.name && now.getTime() - Date.parse(entry.at) < entryMilliseconds;
  const noted = isNoted ? entry : { by: actor.name, at: now.toISOString() };
  const after = { ...changed(campaign, input.draft, now), noted: noted ?? null };
  const write = () => writeDraft(campaign, after, input.draft);
  const entryOfEdit = { action: 'campaign.edit', subject: campaign.id };
  await (isNoted ? write() : audited({ actor, workspaceId, now }, entryOfEdit, write));
  return opened(after, { variants: input.draft.variants });
}

/** Replaces a draft. Throws `conflict` when it has changed since it was read. */
export async function writeDraft(before: Campaign, after: Campaign, { variants }: WrittenDraft): Promise<void> {
  const outcome = await changeDraft(before, after, storedContent({ variants }));
  if (outcome === 'too_large') throw new ValidationError([{ path: 'content', text: tooLarge }]);
  if (outcome === 'overtaken') throw overtaken();
}

/** The campaign as it is after an edit. */
export function changed(before: Campaign, draft: WrittenDraft, now: Date): Campaign {
  const { name, segmentId, tag, replyTo, track, variants, test } = draft;
  const [first] = variants;
  const isTest = test !== null && variants.length > 1;
  return {
    ...before,
    name,
    subject: first?.subject ?? before.subject,
    preheader: first?.preheader ?? null,
    from: first?.from ?? before.from,
    kind: isTest ? 'ab_test' : 'regular',
    segmentId,
    tag,
    replyTo,
    track,
    test: isTest ? { ...test, variants: variants.length, decideAt: null, winner: null } : null,
    revision: (before.revision ?? 0) + 1,
    noted: null,
    updatedAt: now.toISOString(),
  };
}

export const notADraft = ({ status }: Campaign) =>
  new ServiceError('conflict', {
    text: text({
      en: `Only a draft can be edited; this campaign is ${status}. Unschedule it, or duplicate it.`,
      fr: `Seul un brouillon peut être modifié ; cette campagne est « ${status} ». Déprogrammez-la ou dupliquez-la.`,
    }),
    details: { status },
  });

export const overtaken = () =>
  new ServiceError('conflict', {
    text: text({
      en: 'This campaign was changed in the meantime, in another tab or by another person. Nothing was overwritten.',
      fr: 'Cette campagne a été modifiée entre-temps, dans un autre onglet ou par une autre personne. Rien n’a été écrasé.',
    }),
    details: { reason: 'overtaken' },
  });

const tooLarge = {
  en: 'is too large to be saved: link to images instead of including them',
  fr: 'est trop volumineux pour être enregistré : donnez l’adresse des images au lieu de les inclure',
};

/**
 * A new draft with the same content and target; an A/B test starts over. The copy keeps the revision, so that an
 * unfinished draft is checked before the copy is sent, too.
 */
export const duplicateCampaign = /* @__PURE__ */ operatorVerb(
  { action: 'campaign.duplicate', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (context: Context, { id }: { readonly id: string }): Promise<Campaign> => {
    const made = await draftMadeBefore(context);
    if (made) return made;
    const original = await findCampaign(context.workspaceId, id);
    const content = await writtenContent(original);
    const at = context.now.toISOString();
    const copy: Campaign = {
      ...original,
      id: newId(context, 'camp'),
      status: 'draft',
      test: original.test && { ...original.test, decideAt: null, winner: null, results: null },
      noted: null,
      freeze: null,
      hold: null,
      measured: null,
      createdAt: at,
      updatedAt: at,
      scheduledAt: null,
      scheduleFailure: null,
      sentAt: null,
    };
    await addCampaign(copy, storedContent(content));
    return copy;
  },
);

/** The draft that an earlier call under the same Idempotency-Key made before it crashed; null for none. */
export async function draftMadeBefore({ workspaceId, reservedId }: Context): Promise<Campaign | null> {
  return reservedId === undefined ? null : getCampaign({ workspaceId, id: withPrefix('camp', reservedId) });
}

/** Archives a draft or a sent campaign. Its report stays readable. */
export const archiveCampaign = /* @__PURE__ */ operatorVerb(
  { action: 'campaign.archive', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (context: Context, { id }: { readonly id: string }): Promise<Campaign> => {
    const campaign = await findCampaign(context.workspaceId, id);
    if (campaign.status === 'archived') return campaign;
    const isPossible = mayBecome(campaign.status, 'archived');
    if (isPossible && (await moveCampaign(campaign, 'archived', context.now)))
      return { ...campaign, status: 'archived' };
    throw new ServiceError('conflict', {
      text: {
        en: `Only a draft or a sent campaign can be archived; this campaign is ${campaign.status}.`,
        fr: `Seul un brouillon ou une campagne envoyée peut être archivé ; cette campagne est « ${campaign.status} ».`,
      },
      details: { status: campaign.status },
    });
  },
);

/** Deletes a draft. Throws `conflict` for any other campaign: it has a report, or is about to be sent. */
export const deleteCampaign = /* @__PURE__ */ operatorVerb(
  { action: 'campaign.delete', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (context: Context, { id }: { readonly id: string }) => {
    const campaign = await findCampaign(context.workspaceId, id);
    if (campaign.status !== 'draft') throw onlyDrafts(campaign);
    if (!(await deleteDraft(campaign))) throw overtaken();
    return { object: 'campaign' as const, id, deleted: true as const };
  },
);

const onlyDrafts = ({ status }: Campaign) =>
  new ServiceError('conflict', {
    text: text({
      en: `Only a draft can be deleted; this campaign is ${status}.`,
      fr: `Seul un brouillon peut être supprimé ; cette campagne est « ${status} ».`,
    }),
    details: { status },
  });
