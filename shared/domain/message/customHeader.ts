import type { Text } from '../../language/text.ts';

export type CustomHeaderProblem = 'name_invalid' | 'name_too_long' | 'name_owned' | 'value_invalid' | 'value_too_long';

/** SES takes no more, nor longer ones (API_MessageHeader). */
export const maxCustomHeaders = 15;
const maxHeaderNameLength = 126;
export const maxHeaderValueLength = 995;

/** A field name is printable ASCII without a colon (RFC 5322 section 3.6.8). */
const fieldName = /^[!-9;-~]+$/;
const printableAscii = /^[ -~]*$/;
const ownedNames = new Set(
  `from to cc bcc subject reply-to date message-id return-path sender mime-version dkim-signature
   list-unsubscribe list-unsubscribe-post`.split(/\s+/),
);
const ownedPrefixes = ['content-', 'x-ses-'];

/** What is wrong with a header that a caller adds, the name first; null when nothing is. */
export function customHeaderProblem(name: string, value: string): CustomHeaderProblem | null {
  if (!fieldName.test(name)) return 'name_invalid';
  if (name.length > maxHeaderNameLength) return 'name_too_long';
  if (isOwned(name.toLowerCase())) return 'name_owned';
  if (!printableAscii.test(value)) return 'value_invalid';
  return value.length > maxHeaderValueLength ? 'value_too_long' : null;
}

function isOwned(name: string): boolean {
  return ownedNames.has(name) || ownedPrefixes.some((prefix) => name.startsWith(prefix));
}

export const customHeaderProblemTexts: Record<CustomHeaderProblem, Text> = {
  name_invalid: {
    en: 'is not a header name: only printable ASCII without spaces and colons',
    fr: 'n’est pas un nom d’en-tête : uniquement de l’ASCII imprimable, sans espace ni deux-points',
  },
  name_too_long: {
    en: `has a name longer than ${maxHeaderNameLength} characters`,
    fr: `a un nom de plus de ${maxHeaderNameLength} caractères`,
  },
  name_owned: {
    en: 'is written by the service and cannot be set here',
    fr: 'est écrit par le service et ne peut pas être donné ici',
  },
  value_invalid: {
    en: 'has a value that is not printable ASCII on one line',
    fr: 'a une valeur qui n’est pas de l’ASCII imprimable sur une seule ligne',
  },
  value_too_long: {
    en: `has a value longer than ${maxHeaderValueLength} characters`,
    fr: `a une valeur de plus de ${maxHeaderValueLength} caractères`,
  },
};
