import { type Text, textsOf } from '../../../language/text.ts';
import type { TextProblem } from '../messageTemplate.ts';
import { forbidden, unclosed } from './htmlRules.ts';
import { type HtmlToken, htmlTokens } from './htmlTokens.ts';

/** Elements of a whole document, or that would change what stands around the fragment. */
const ofDocument: ReadonlySet<string> = new Set(['html', 'head', 'body', 'title', 'meta', 'link', 'style', 'form']);
const voids: ReadonlySet<string> = new Set([...['area', 'br', 'col', 'hr', 'img', 'input', 'source', 'track', 'wbr']]);
/** Outside a table of their own, they would end the cell that the fragment stands in (HTML, 13.2.6.4.15). */
const ofTable: ReadonlySet<string> = new Set([
  ...['caption', 'col', 'colgroup', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'],
]);

const texts = textsOf({
  unopened: {
    en: 'an end tag closes what the block has not opened: each element must end where it began',
    fr: 'une balise fermante ferme ce que le bloc n’a pas ouvert : chaque élément doit finir là où il a commencé',
  },
  outsideTable: {
    en: 'a part of a table stands outside a table, and would break the message around the block',
    fr: 'une partie de tableau se trouve hors d’un tableau et romprait le message autour du bloc',
  },
});

/** Limits the work: each problem costs a scan of the source before it. */
const maxProblems = 20;

/** What keeps HTML from being complete in itself, which a part of a message must be. */
export function structureProblems(html: string): TextProblem[] {
  const problems: TextProblem[] = [];
  const open: Extract<HtmlToken, { kind: 'open' }>[] = [];
  const report = (at: number, text: Text) => {
    if (problems.length < maxProblems) problems.push({ at, text });
  };
  for (const token of htmlTokens(html)) {
    if (token.kind === 'doctype') report(token.at, forbidden('!doctype'));
    if (token.kind === 'open') {
      if (ofDocument.has(token.name)) report(token.at, forbidden(token.name));
      const isInTable = open.some(({ name }) => name === 'table');
      if (ofTable.has(token.name) && !isInTable) report(token.at, texts.outsideTable);
      if (!voids.has(token.name)) open.push(token);
    }
    if (token.kind === 'close' && !voids.has(token.name)) {
      if (open.at(-1)?.name === token.name) open.pop();
      else report(token.at, texts.unopened);
    }
  }
  for (const { name, at } of open) report(at, unclosed(name));
  return problems;
}
