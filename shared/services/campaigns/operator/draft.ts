import { ServiceError, ValidationError } from '../../../contract/errors.ts';
import type { WrittenDraft } from '../../../contract/schemas/campaign/draft.ts';
import type { Campaign } from '../../../domain/campaign/campaign.ts';
import type { CampaignContent } from '../../../domain/campaign/content/content.ts';
import { canonicalJson } from '../../../domain/encoding/canonicalJson.ts';
import { text } from '../../../language/text.ts';
import { changeDraft, getContent } from '../../../store/campaign/campaigns.ts';
import type { Context } from '../../context.ts';
import { noted } from '../../operators/verb.ts';
import { requireOperator } from '../../requireOperator.ts';
import { draftOf } from '../draft.ts';
import { findCampaign } from '../find.ts';

/** A campaign with what its author wrote, as an editor needs it. */
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
  return opened(campaign, await getContent<CampaignContent>(campaign));
}

const opened = (campaign: Campaign, content: CampaignContent): OpenDraft => ({
  id: campaign.id,
  status: campaign.status,
  revision: campaign.revision ?? 0,
  updatedAt: campaign.updatedAt,
  scheduledAt: campaign.scheduledAt,
  draft: draftOf(campaign, content),
});

interface Saved {
  readonly id: string;
  /** What the author had before them when they wrote. */
  readonly revision: number;
  readonly draft: WrittenDraft;
}

/** Within it what one operator writes is one entry of the audit log: an editor saves with every pause. */
const entryMilliseconds = 15 * 60 * 1000;

/**
 * Saves what was written, unless the draft was changed since its author opened it: `conflict`, and nothing is lost on
 * either side. The same once more is no change: an answer that never arrived may be asked for again.
 */
export async function saveDraft(context: Context, input: Saved): Promise<OpenDraft> {
  requireOperator(context, 'change');
  const { actor, workspaceId, now } = context;
  if (actor.kind !== 'operator') throw new ServiceError('insufficient_scope');
  const campaign = await findCampaign(workspaceId, input.id);
  if (campaign.status !== 'draft') throw notADraft(campaign);
  const content = await getContent<CampaignContent>(campaign);
  if (canonicalJson(draftOf(campaign, content)) === canonicalJson(input.draft)) return opened(campaign, content);
  if ((campaign.revision ?? 0) !== input.revision) throw overtaken();
  const { noted: entry } = campaign;
  const isNoted = entry?.by === actor.name && now.getTime() - Date.parse(entry.at) < entryMilliseconds;
  const after = changed(campaign, input.draft, isNoted ? entry : { by: actor.name, at: now.toISOString() }, now);
  const write = async () => {
    const outcome = await changeDraft(campaign, after, { variants: input.draft.variants });
    if (outcome === 'too_large') throw new ValidationError([{ path: 'content', text: tooLarge }]);
    if (outcome === 'overtaken') throw overtaken();
  };
  const said = { action: 'campaign.edit', subject: campaign.id };
  await (isNoted ? write() : noted({ actor, workspaceId, now }, said, write));
  return opened(after, { variants: input.draft.variants });
}

function changed(before: Campaign, draft: WrittenDraft, entry: Campaign['noted'], now: Date): Campaign {
  const { name, segmentId, tag, track, variants, test } = draft;
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
    track,
    test: isTest ? { ...test, variants: variants.length, decideAt: null, winner: null } : null,
    revision: (before.revision ?? 0) + 1,
    noted: entry ?? null,
    updatedAt: now.toISOString(),
  };
}

const notADraft = ({ status }: Campaign) =>
  new ServiceError('conflict', {
    text: text({
      en: `Only a draft is edited; this one is ${status}. Take its schedule back, or duplicate it.`,
      fr: `Seul un brouillon se modifie ; celle-ci est « ${status} ». Annulez sa programmation, ou dupliquez-la.`,
    }),
    details: { status },
  });

const overtaken = () =>
  new ServiceError('conflict', {
    text: text({
      en: 'This campaign was changed meanwhile, in another tab or by somebody else. Nothing was overwritten.',
      fr: 'Cette campagne a été modifiée entre-temps, dans un autre onglet ou par quelqu’un d’autre. Rien n’a été écrasé.',
    }),
    details: { reason: 'overtaken' },
  });

const tooLarge = {
  en: 'is too large to be saved: leave images where they are and link to them',
  fr: 'est trop volumineux pour être enregistré : laissez les images où elles sont et donnez leur adresse',
};
