import { inEachLanguage } from '../../../language/languages.ts';
import type { Text } from '../../../language/text.ts';
import { type SafeRequestErrorCode, safeRequestErrorTexts } from '../../../outbound/safeRequestError.ts';

/** Why a delivery failed or waits. Stored as a code and shown in the reader's language. */
export type DeliveryErrorCode = SafeRequestErrorCode | 'status' | 'held' | 'held_too_long' | 'erased';

const ownTexts: Record<Exclude<DeliveryErrorCode, SafeRequestErrorCode | 'status'>, Text> = {
  held: {
    en: 'The subscription is disabled: the delivery is on hold.',
    fr: 'L’abonnement est désactivé : la livraison est suspendue.',
  },
  erased: {
    en: 'The person that the event was about was erased.',
    fr: 'La personne concernée par l’événement a été effacée.',
  },
  held_too_long: {
    en: 'The subscription stayed disabled for longer than retries last: the delivery was given up.',
    fr: 'L’abonnement est resté désactivé plus longtemps que ne durent les nouvelles tentatives : la livraison est abandonnée.',
  },
};

const texts: Readonly<Record<string, Text>> = { ...safeRequestErrorTexts, ...ownTexts };

/** The sentence for a stored code; an unknown code stands for itself. */
export function deliveryErrorText(code: string, status: number | null): Text {
  if (code !== 'status') return texts[code] ?? inEachLanguage(() => code);
  const isRedirect = status !== null && status >= 300 && status < 400;
  return {
    en: `The receiver answered ${status}, not 2xx${isRedirect ? '; redirects are not followed' : ''}.`,
    fr: `Le destinataire a répondu ${status}, et non 2xx${isRedirect ? ' ; les redirections ne sont pas suivies' : ''}.`,
  };
}
