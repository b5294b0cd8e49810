import { type Issue, ServiceError, ValidationError } from '../../../contract/errors.ts';
import { problemsOfDraft, type WrittenDraft } from '../../../contract/schemas/campaignDraft.ts';
import { type Campaign, type CampaignStatus, type Freezer, mostRecipients } from '../../../domain/campaign/campaign.ts';
import { hasOwnFooter } from '../../../domain/content/advice.ts';
import { bodyIn, type CampaignContent } from '../../../domain/content/block.ts';
import { placeInDraft } from '../../../domain/content/place.ts';
import type { Segment } from '../../../domain/segment/segment.ts';
import { quotaResetsAt } from '../../../domain/sending/quota.ts';
import type { Suspension, Workspace } from '../../../domain/workspace/workspace.ts';
import { type Text, textsOf } from '../../../language/text.ts';
import type { CampaignMessage } from '../../../store/campaign/frozenContent.ts';
import { getWorkspace } from '../../../store/workspace/workspaces.ts';
import type { Target } from '../../audience.ts';
import type { Context } from '../../context.ts';
import { checkDomain } from '../../emails/checks.ts';
import { writtenContent } from './content.ts';
import { isSendable, renderVariants, senderOf, tooLarge } from './message.ts';
import { offeredTag, segmentOf } from './target.ts';

/** A campaign that passed every check that counts no recipients. */
export interface CheckedCampaign {
  readonly campaign: Campaign;
  readonly workspace: Workspace;
  readonly content: CampaignContent;
  /** Null for the whole list. */
  readonly segment: Segment | null;
  readonly messages: readonly CampaignMessage[];
  readonly target: Target;
}

/** Checks status, sender, content and reputation, for a send and a dry run alike. Throws the first refusal. */
export async function checkCampaign(
  { workspaceId }: Pick<Context, 'workspaceId'>,
  campaign: Campaign,
  to: readonly string[] | undefined,
  from: 'draft' | 'scheduled' = 'draft',
): Promise<CheckedCampaign> {
  checkStatus(campaign, from);
  if (to !== undefined && campaign.test) throw toWithTest();
  if (to?.length === 0) throw emptyTo();
  const [workspace, content, segment] = await Promise.all([
    getWorkspace(workspaceId),
    writtenContent(campaign),
    segmentOf(campaign),
  ]);
  if (!workspace) throw new ServiceError('internal_error');
  checkComplete(campaign, content, workspace);
  for (const variant of content.variants) checkDomain(variant.from, senderOf(variant).address, workspace.domains);
  if (workspace.suspension) throw suspended(workspace.suspension);
  const { requiresAddress, address } = workspace.mailBrand ?? {};
  if (requiresAddress && address === undefined && !content.variants.every(hasOwnFooter)) {
    throw refusal('no_postal_address', texts.noAddress);
  }
  const messages = renderVariants(campaign, content, workspace);
  const tag = offeredTag(workspace, campaign.tag);
  if (campaign.tag && tag === null) throw refusal('unknown_topic', texts.unknownTopic);
  const target = { workspaceId, rule: segment?.rule ?? null, to: to ?? null, tag };
  return { campaign, workspace, content, segment, messages, target };
}

/** A campaign as its editor shows it: the record and the content in one. */
export function draftOf(campaign: Campaign, { variants }: CampaignContent): WrittenDraft {
  const { name, segmentId, tag = null, replyTo = null, track, test } = campaign;
  const { share, decideBy, waitHours } = test ?? {};
  return {
    name,
    segmentId,
    tag,
    replyTo,
    track,
    variants,
    test: share !== undefined && decideBy && waitHours !== undefined ? { share, decideBy, waitHours } : null,
  };
}

/** What `POST /campaigns` would have refused in an edited draft: an editor saves unfinished drafts, too. */
export function problemsOfCampaign(campaign: Campaign, content: CampaignContent, workspace: Workspace): Issue[] {
  if (!campaign.revision) return [];
  const issues = problemsOfDraft(draftOf(campaign, content));
  if (issues.length === 0 && !content.variants.every((one) => isSendable(one, workspace, campaign.replyTo))) {
    issues.push({ path: 'content', text: tooLarge });
  }
  const [first, ...others] = content.variants.map((variant) => JSON.stringify(bodyIn(variant)));
  const isShared = others.every((body) => body === first);
  // The message is shared by all variants: its problems are reported for the first one.
  const named = issues.filter(
    ({ path }) => !(isShared && /^ab_test\.variants\[\d\]\.(?:content|text|html|plain_text)/.test(path)),
  );
  return named.map((issue) => ({ ...issue, ...placed(placeInDraft(issue.path, content)) }));
}

const placed = (place: Text | null) => (place ? { place } : {});

/** Throws `validation_error` with every problem of the draft. */
function checkComplete(campaign: Campaign, content: CampaignContent, workspace: Workspace): void {
  const issues = problemsOfCampaign(campaign, content, workspace);
  if (issues.length > 0) throw new ValidationError(issues);
}

/** A refusal of a send: 422 with a machine-readable `reason` (rule 10 of the contract). */
function refusal(reason: string, text: Text, figures: Record<string, unknown> = {}): ServiceError {
  return new ServiceError('validation_error', { text, details: { reason, ...figures } });
}

const texts = textsOf({
  noAddress: {
    en: 'The footer has no postal address, and the brand of this workspace requires one: add it to the brand.',
    fr: 'Le pied de page n’a pas d’adresse postale, et la marque de cet espace en exige une : ajoutez-la à la marque.',
  },
  empty: {
    en: 'Nobody would receive this campaign: its audience is empty.',
    fr: 'Personne ne recevrait cette campagne : son audience est vide.',
  },
  emptyTo: {
    en: '"to" is empty, which would write to nobody. To write to the whole target, leave "to" out.',
    fr: '« to » est vide : personne ne recevrait rien. Pour écrire à toute la cible, omettez « to ».',
  },
  test: {
    en: 'A campaign with an A/B test does not accept "to": the winning version is sent to the whole target later.',
    fr: 'Une campagne avec un test A/B n’accepte pas « to » : la version gagnante part ensuite à toute la cible.',
  },
  unknownTopic: {
    en: 'The topic of this campaign was deleted, so that it would reach people who had left it: choose another topic, or none.',
    fr: 'Le type d’e-mail de cette campagne a été supprimé : elle atteindrait des personnes qui l’avaient quitté. Choisissez un autre type, ou aucun.',
  },
  tooLargeForCall: {
    en: 'The audience is too large to be frozen within one call: schedule the campaign, in a minute if you like. A scheduled one may have up to {most} recipients.',
    fr: 'L’audience est trop grande pour être figée en un seul appel : programmez la campagne, dans une minute si vous le souhaitez. Programmée, elle peut compter jusqu’à {most} destinataires.',
  },
  tooLarge: {
    en: 'A campaign like this one may have up to {most} recipients: choose a segment.',
    fr: 'Une campagne comme celle-ci peut compter jusqu’à {most} destinataires : choisissez un segment.',
  },
  tooFew: {
    en: 'The audience has fewer people than the A/B test has variants.',
    fr: 'L’audience compte moins de personnes que le test A/B n’a de variantes.',
  },
});

/**
 * Throws when so many people cannot be frozen: by a call, which then says that a schedule can, or at all. A call that
 * took too long says the same.
 */
export function checkSize(campaign: Campaign, people: number, freezer: Freezer): void {
  if (people > mostRecipients(campaign, freezer)) throw audienceTooLarge(campaign, people, freezer);
}

export function audienceTooLarge(campaign: Campaign, people: number, freezer: Freezer): ServiceError {
  const most = mostRecipients(campaign, 'worker');
  const text = freezer === 'call' && people <= most ? texts.tooLargeForCall : texts.tooLarge;
  const filled = {
    en: text.en.replace('{most}', most.toLocaleString('en')),
    fr: text.fr.replace('{most}', most.toLocaleString('fr')),
  };
  return refusal('audience_too_large', filled, { limit: mostRecipients(campaign, freezer) });
}

export const emptyAudience = () => refusal('empty_audience', texts.empty);
const emptyTo = () => refusal('empty_to', texts.emptyTo);
const toWithTest = () => refusal('to_with_ab_test', texts.test);
export const tooFewPeople = () => refusal('empty_audience', texts.tooFew);

export function suspended({ since, bounceRate, complaintRate }: Suspension): ServiceError {
  return refusal(
    'reputation_blocked',
    {
      en: 'Sending is suspended: too many bounces or complaints.',
      fr: 'Les envois sont suspendus : trop de rebonds ou de plaintes.',
    },
    { bounce_rate: bounceRate, complaint_rate: complaintRate, since },
  );
}

export function quotaExceeded(figures: { limit: number; used: number; requested: number }, now: Date): ServiceError {
  const left = Math.max(0, figures.limit - figures.used);
  return refusal(
    'quota_exceeded',
    {
      en: `The campaign is for ${counted(figures.requested, 'recipient')}; this month’s quota has ${counted(left, 'email')} left.`,
      fr: `La campagne s’adresse à ${figures.requested} destinataire${figures.requested > 1 ? 's' : ''} ; il reste ${left} e-mail${left > 1 ? 's' : ''} dans le quota du mois.`,
    },
    { ...figures, resets_at: quotaResetsAt(now) },
  );
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const conflictTexts: Readonly<Record<Exclude<CampaignStatus, 'draft'>, Text>> = {
  sending: {
    en: 'This campaign is being sent already. Duplicate it to send it again.',
    fr: 'Cette campagne est déjà en cours d’envoi. Dupliquez-la pour la renvoyer.',
  },
  sent: {
    en: 'This campaign was sent already. Duplicate it to send it again.',
    fr: 'Cette campagne a déjà été envoyée. Dupliquez-la pour la renvoyer.',
  },
  scheduled: {
    en: 'This campaign is scheduled. Unschedule it to send it now; the API and the command line can also move it to another time.',
    fr: 'Cette campagne est programmée. Déprogrammez-la pour l’envoyer maintenant ; l’API et la ligne de commande peuvent aussi changer l’heure d’envoi.',
  },
  archived: {
    en: 'This campaign is archived. Duplicate it to send it.',
    fr: 'Cette campagne est archivée. Dupliquez-la pour l’envoyer.',
  },
};

/** Only a draft can be sent, or a scheduled campaign at its time. Throws `conflict`. */
export function checkStatus({ status }: Pick<Campaign, 'status'>, expected: CampaignStatus = 'draft'): void {
  if (status !== expected && status !== 'draft')
    throw new ServiceError('conflict', { text: conflictTexts[status], details: { status } });
}

/** Throws `conflict` when the draft was edited after the operator looked at it. */
export function checkRevision({ status, revision = 0 }: Campaign, seen: number | undefined): void {
  const isEditable = status === 'draft' || status === 'scheduled';
  if (seen === undefined || !isEditable || revision === seen) return;
  throw new ServiceError('conflict', {
    text: {
      en: 'This campaign was edited since you looked at it: check it again. Nothing was sent.',
      fr: 'Cette campagne a été modifiée depuis que vous l’avez vue : vérifiez-la de nouveau. Rien n’a été envoyé.',
    },
    details: { status, reason: 'edited' },
  });
}
