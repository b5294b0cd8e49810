import { ServiceError } from '../../contract/errors.ts';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import type { CampaignStatus } from '../../domain/campaign/status.ts';
import { quotaResetsAt } from '../../domain/sending/plan.ts';
import type { Suspension } from '../../domain/workspace/workspace.ts';
import { type Text, textsOf } from '../../language/text.ts';

/** What a send refuses for its state: 422 as the contract's rule 10 says, with a reason that programs can read. */
function refusal(reason: string, text: Text, figures: Record<string, unknown> = {}): ServiceError {
  return new ServiceError('validation_error', { text, details: { reason, ...figures } });
}

const texts = textsOf({
  empty: {
    en: 'Nobody would receive this campaign: its audience is empty.',
    fr: 'Personne ne recevrait cette campagne : son audience est vide.',
  },
  emptyTo: {
    en: '"to" is empty, which would write to nobody. To write to the whole target, leave "to" out.',
    fr: '« to » est vide : personne ne recevrait rien. Pour écrire à toute la cible, omettez « to ».',
  },
  test: {
    en: 'A campaign with an A/B test takes no "to": the winning version goes to the whole target later.',
    fr: 'Une campagne avec un test A/B n’accepte pas « to » : la version gagnante part ensuite à toute la cible.',
  },
  tooFew: {
    en: 'The audience has fewer people than the A/B test has variants.',
    fr: 'L’audience compte moins de personnes que le test A/B n’a de variantes.',
  },
  noSender: {
    en: 'The campaign has no sender that can be written from.',
    fr: 'La campagne n’a pas d’expéditeur utilisable.',
  },
});

export const emptyAudience = () => refusal('empty_audience', texts.empty);
export const emptyTo = () => refusal('empty_to', texts.emptyTo);
export const toWithTest = () => refusal('to_with_ab_test', texts.test);
export const tooFewPeople = () => refusal('empty_audience', texts.tooFew);
export const noSender = () => refusal('no_sender', texts.noSender);

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
      en: `The campaign has ${figures.requested} recipients, and ${left} emails are left this month.`,
      fr: `La campagne compte ${figures.requested} destinataires, et il reste ${left} e-mails ce mois-ci.`,
    },
    { ...figures, resets_at: quotaResetsAt(now) },
  );
}

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
    en: 'This campaign is scheduled. Unschedule it to send it now or at another time.',
    fr: 'Cette campagne est programmée. Déprogrammez-la pour l’envoyer maintenant ou à un autre moment.',
  },
  archived: {
    en: 'This campaign is archived. Duplicate it to send it.',
    fr: 'Cette campagne est archivée. Dupliquez-la pour l’envoyer.',
  },
};

/** Only a draft goes out; or, when its time has come, what was scheduled. */
export function checkStatus({ status }: Pick<Campaign, 'status'>, expected: CampaignStatus = 'draft'): void {
  if (status !== expected && status !== 'draft')
    throw new ServiceError('conflict', { text: conflictTexts[status], details: { status } });
}

/** What goes out is what was looked at. */
export function checkRevision({ status, revision = 0 }: Campaign, seen: number | undefined): void {
  if (seen === undefined || status !== 'draft' || revision === seen) return;
  throw new ServiceError('conflict', {
    text: {
      en: 'This campaign was edited since you looked at it: look again. Nothing was sent.',
      fr: 'Cette campagne a été modifiée depuis que vous l’avez vue : regardez de nouveau. Rien n’a été envoyé.',
    },
    details: { status, reason: 'edited' },
  });
}
