import { type Text, textsOf } from '../../../language/text.ts';
import { type LinkTarget, readImageSource, readLinkTarget } from '../../webAddress.ts';

/** What the HTML of a message may contain: nothing that runs, shows another document, or changes how the rest is read. */
const forbiddenElements: ReadonlySet<string> = new Set([
  ...[
    'script',
    'iframe',
    'frame',
    'frameset',
    'object',
    'embed',
    'applet',
    'portal',
    'base',
    'template',
    'svg',
    'math',
  ],
  ...['xmp', 'noembed', 'noframes', 'plaintext', 'listing'],
]);
/** Elements whose content is text, up to their end tag. */
export const textElements: ReadonlySet<string> = new Set(['style', 'title', 'textarea']);
/** Attributes that hold text or a name, where an escaped value is safe. */
export const textAttributes =
  /^(alt|title|lang|dir|id|name|class|width|height|align|valign|bgcolor|color|label|summary|aria-[a-z]+|data-[a-z-]+)$/;

const imageAttributes: ReadonlySet<string> = new Set(['src', 'background', 'poster', 'lowsrc', 'dynsrc']);
const linkAttributes: ReadonlySet<string> = new Set([
  ...['action', 'formaction', 'cite', 'longdesc', 'xlink:href', 'data', 'ping', 'manifest', 'codebase', 'archive'],
]);

export const htmlTexts = textsOf({
  handler: {
    en: 'has a script in an attribute ("on…"), which mail clients remove',
    fr: 'a un script dans un attribut (« on… »), que les messageries retirent',
  },
  refresh: {
    en: 'leads to another page by "http-equiv", which mail clients ignore',
    fr: 'mène à une autre page par « http-equiv », ce que les messageries ignorent',
  },
  empty: { en: 'has no text or image to send', fr: 'n’a aucun texte ni image à envoyer' },
});

export const isForbidden = (element: string): boolean =>
  forbiddenElements.has(element) || !/^[a-z][a-z0-9:._-]*$/.test(element);

export const forbidden = (element: string): Text => ({
  en: `"<${element.slice(0, 40)}>" is not possible in a message: mail clients remove it`,
  fr: `« <${element.slice(0, 40)}> » n’est pas possible dans un message : les messageries le retirent`,
});
export const unclosed = (element: string): Text => ({
  en: `"<${element}>" is not closed, so that it contains the rest of the message`,
  fr: `« <${element}> » n’est pas fermé et contient donc la suite du message`,
});
export const unsafePosition = (field: string): Text => ({
  en: `"{{${field}}}" is where no escaping can make a value safe: use merge fields in text, or in attributes such as alt and title`,
  fr: `« {{${field}}} » se trouve là où aucun échappement ne peut rendre une valeur sûre : utilisez les champs de fusion dans le texte, ou dans des attributs comme alt et title`,
});

/** The problems of an attribute that holds addresses; null for any other attribute. */
export function addressProblems(attribute: string, value: string): Text[] | null {
  const problems = (targets: readonly LinkTarget[]) => targets.flatMap((one) => (one.ok ? [] : [one.problem]));
  if (imageAttributes.has(attribute)) return problems([readImageSource(value)]);
  if (attribute === 'srcset') return problems(sourcesIn(value).map(readImageSource));
  return linkAttributes.has(attribute) ? problems([readLinkTarget(value)]) : null;
}

/** The addresses of `a.png 1x, b.png 2x`. An address may contain commas, but not at its end. */
const sourcesIn = (srcset: string): string[] =>
  srcset
    .trim()
    .split(/,\s+|,$/)
    .map((candidate) => candidate.trim().split(/\s+/)[0] ?? '')
    .filter((source) => source !== '');
