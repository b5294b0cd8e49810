import { inEachLanguage } from '../../language/languages.ts';
import type { Text } from '../../language/text.ts';
import { type SafeRequestErrorCode, safeRequestErrorTexts } from '../../outbound/safeRequestError.ts';

/** Why a delivery stands where it stands; stored as a code, told in the reader's language. */
export type DeliveryErrorCode = SafeRequestErrorCode | 'status' | 'held' | 'held_too_long' | 'erased';

const ownTexts: Record<Exclude<DeliveryErrorCode, SafeRequestErrorCode | 'status'>, Text> = {
  held: {
    en: 'The subscription is disabled: the delivery is held back.',
    fr: 'L’abonnement est désactivé : la livraison est retenue.',
  },
  erased: {
    en: 'The person whom the event was about was erased.',
    fr: 'La personne dont parlait l’événement a été effacée.',
  },
  held_too_long: {
    en: 'The subscription stayed disabled beyond the time of the retries: the delivery was given up.',
    fr: 'L’abonnement est resté désactivé au-delà de la durée des reprises : la livraison est abandonnée.',
  },
};

const texts: Readonly<Record<string, Text>> = { ...safeRequestErrorTexts, ...ownTexts };

/** The sentence for a stored code. */
export function deliveryErrorText(code: string, status: number | null): Text {
  if (code !== 'status') return texts[code] ?? inEachLanguage(() => code);
  const isRedirect = status !== null && status >= 300 && status < 400;
  return {
    en: `The receiver answered ${status}, not 2xx${isRedirect ? '; redirects are not followed' : ''}.`,
    fr: `Le destinataire a répondu ${status}, et non 2xx${isRedirect ? ' ; les redirections ne sont pas suivies' : ''}.`,
  };
}
