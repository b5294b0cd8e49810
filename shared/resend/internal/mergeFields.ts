import type { Issue } from '../../contract/errors.ts';
import { type Text, textsOf } from '../../language/text.ts';

const texts = textsOf({
  unclosed: {
    en: 'a merge field is opened with "{{{" but not closed with "}}}"',
    fr: 'un champ de fusion est ouvert par « {{{ » mais n’est pas fermé par « }}} »',
  },
});

const unknown = (name: string): Text => ({
  en: `there is no merge field "{{{${name}}}}": use FIRST_NAME, LAST_NAME, EMAIL, contact.first_name, contact.last_name, contact.email, contact.NAME of a property, or RESEND_UNSUBSCRIBE_URL`,
  fr: `le champ de fusion « {{{${name}}}} » n’existe pas : utilisez FIRST_NAME, LAST_NAME, EMAIL, contact.first_name, contact.last_name, contact.email, contact.NOM d’une propriété, ou RESEND_UNSUBSCRIBE_URL`,
});

/** Our names by those of Resend. */
const names: ReadonlyMap<string, string> = new Map([
  ['FIRST_NAME', 'firstName'],
  ['LAST_NAME', 'lastName'],
  ['EMAIL', 'email'],
  ['contact.first_name', 'firstName'],
  ['contact.last_name', 'lastName'],
  ['contact.email', 'email'],
  ['RESEND_UNSUBSCRIBE_URL', 'unsubscribe_url'],
]);

function ownName(name: string): string | undefined {
  const [, property] = /^contact\.([A-Za-z0-9_]{1,64})$/.exec(name) ?? [];
  return names.get(name) ?? (property && `fields.${property}`);
}

interface Translated {
  readonly text: string;
  readonly issues: readonly Issue[];
}

/** A text with Resend's merge fields (`{{{FIRST_NAME|there}}}`) as ours. An unknown one would be sent as it is written. */
export function withOwnFields(path: string, given: string): Translated {
  const issues: Issue[] = [];
  const text = given.replace(/\{\{\{([^{}\r\n]*)\}\}\}/g, (_, inside: string) => {
    const [name = '', ...fallback] = inside.split('|');
    const own = ownName(name.trim());
    if (own === undefined) issues.push({ path, text: unknown(name.trim().slice(0, 80)) });
    if (own === undefined) return '';
    return fallback.length > 0 ? `{{${own}|${fallback.join('|')}}}` : `{{${own}}}`;
  });
  if (text.includes('{{{')) issues.push({ path, text: texts.unclosed });
  return { text, issues };
}
