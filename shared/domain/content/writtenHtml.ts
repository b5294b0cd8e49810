import type { Text } from '../../language/text.ts';
import { readImageSource, readLinkTarget } from '../webAddress.ts';
import {
  addressProblems,
  forbidden,
  htmlTexts,
  isForbidden,
  textAttributes,
  textElements,
  unclosed,
  unsafePosition,
} from './internal/htmlRules.ts';
import { decodeReferences, type HtmlAttribute, type HtmlToken, htmlTokens } from './internal/htmlTokens.ts';
import { TextOfHtml } from './internal/textOfHtml.ts';
import {
  type HtmlPiece,
  isUnsubscribe,
  type MergeField,
  type MergeNames,
  readMergeFields,
  type TextProblem,
} from './messageTemplate.ts';

/** The HTML of a message as its author wrote it, read for rendering. */
export interface ReadHtml {
  readonly pieces: readonly HtmlPiece[];
  /** The same for readers without HTML. */
  readonly textParts: readonly (string | MergeField)[];
  /** Web addresses that it links to, each once, in order of appearance. */
  readonly links: readonly string[];
  readonly images: readonly { readonly source: string; readonly hasAlternative: boolean }[];
  readonly hasUnsubscribeLink: boolean;
  readonly problems: readonly TextProblem[];
}

/** Reads the HTML of a message: its merge fields, links and text, and what no message may have. */
export function readHtml(html: string, names: MergeNames = 'message'): ReadHtml {
  const reader = new HtmlReader(names);
  for (const token of htmlTokens(html)) reader.read(token);
  return reader.end();
}

type TokenOf<Kind extends HtmlToken['kind']> = Extract<HtmlToken, { kind: Kind }>;

/** Limits the work: each problem costs a scan of the source before it. */
const maxProblems = 100;

class HtmlReader {
  readonly #pieces: HtmlPiece[] = [];
  readonly #problems: TextProblem[] = [];
  readonly #links = new Set<string>();
  readonly #images: ReadHtml['images'][number][] = [];
  readonly #text = new TextOfHtml();
  /** In a comment that Outlook alone reads as HTML: what is there is not shown to everybody. */
  readonly #isConditional: boolean;
  readonly #offset: number;
  readonly #names: MergeNames;
  /** An open element whose content is text. */
  #textElement: { readonly name: string; readonly at: number } | null = null;
  #start = 0;
  #hasBody = false;
  #end: number | null = null;
  #hasUnsubscribeLink = false;

  constructor(names: MergeNames, { isConditional = false, offset = 0 } = {}) {
    this.#names = names;
    this.#isConditional = isConditional;
    this.#offset = offset;
  }

  read(token: HtmlToken): void {
    switch (token.kind) {
      case 'text':
        this.#readText(token);
        break;
      case 'open':
        if (isForbidden(token.name)) this.#problem(token.at, forbidden(token.name));
        else this.#readTag(token);
        break;
      case 'close':
        if (!isForbidden(token.name)) this.#readEndTag(token);
        break;
      case 'comment':
        this.#readComment(token);
        break;
      case 'doctype':
        this.#markup(`<!${token.raw}>`);
        this.#bodyMayStart();
    }
  }

  end(): ReadHtml {
    if (this.#textElement) this.#problem(this.#textElement.at, unclosed(this.#textElement.name));
    const { parts: textParts, isEmpty } = this.#text.end();
    const hasContent = !isEmpty || this.#images.length > 0 || this.#problems.length > 0;
    if (!hasContent && !this.#isConditional) this.#problem(0, htmlTexts.empty);
    const end = Math.max(this.#start, this.#end ?? this.#pieces.length);
    const pieces = this.#isConditional
      ? this.#pieces
      : this.#pieces.toSpliced(end, 0, { kind: 'end' }).toSpliced(this.#start, 0, { kind: 'start' });
    return {
      ...{ pieces, textParts, links: [...this.#links], images: this.#images, problems: this.#problems },
      hasUnsubscribeLink: this.#hasUnsubscribeLink,
    };
  }

  #markup(text: string): void {
    this.#pieces.push({ kind: 'markup', text });
  }

  #problem(at: number, text: Text): void {
    if (this.#problems.length < maxProblems) this.#problems.push({ at: this.#offset + at, text });
  }

  #bodyMayStart(): void {
    if (!this.#hasBody) this.#start = this.#pieces.length;
  }

  /** Text and merge fields. The fallback of a field is HTML, too. */
  #fieldsIn(raw: string, at: number): (string | MergeField)[] {
    const { parts, problems } = readMergeFields(raw, this.#names);
    for (const problem of problems) this.#problem(at + problem.at, problem.text);
    return parts.map((part) =>
      typeof part === 'string' ? part : { ...part, fallback: decodeReferences(part.fallback) },
    );
  }

  #readText({ raw, at }: TokenOf<'text'>): void {
    const parts = this.#fieldsIn(raw, at);
    const isStyle = this.#textElement?.name === 'style';
    for (const part of parts) {
      if (typeof part !== 'string') {
        if (isStyle) this.#problem(at, unsafePosition(nameOf(part)));
        else this.#readField(part);
      } else if (isStyle) this.#pieces.push({ kind: 'styles', text: part });
      // A `<` that begins no tag is text for every reader only as a reference.
      else this.#markup(part.replaceAll('<', '&lt;'));
    }
    if (this.#textElement || this.#isConditional) return;
    this.#text.add(parts.map((part) => (typeof part === 'string' ? decodeReferences(part) : part)));
  }

  #readField(field: MergeField): void {
    this.#pieces.push({ kind: 'merge', field });
    if (isUnsubscribe(field) && !this.#textElement && !this.#isConditional) this.#hasUnsubscribeLink = true;
  }

  #readTag({ name, written, at, attributes, isSelfClosing }: TokenOf<'open'>): void {
    this.#markup(`<${written}`);
    // Browsers take the first of two attributes with one name.
    const own = new Map(
      attributes
        .filter(({ name: known }) => attributeName.test(known))
        .toReversed()
        .map((one) => [one.name, one]),
    );
    let isTracked = true;
    for (const attribute of [...own.values()].toReversed()) {
      if (attribute.name.startsWith('on')) this.#problem(attribute.at, htmlTexts.handler);
      else if (attribute.name === 'href') isTracked = this.#readHref(name, attribute);
      else this.#readAttribute(attribute);
    }
    // SES must not rewrite links that are no web addresses, nor the one by which a person leaves.
    this.#markup(`${isTracked || own.has('ses:no-track') ? '' : ' ses:no-track'}${isSelfClosing ? ' /' : ''}>`);
    const given = (attribute: string) => own.get(attribute)?.value ?? '';
    if (name === 'meta' && /^\s*refresh\s*$/i.test(given('http-equiv'))) this.#problem(at, htmlTexts.refresh);
    if (name === 'img') this.#images.push({ source: given('src'), hasAlternative: given('alt').trim() !== '' });
    if (name === 'html' || name === 'body') this.#bodyMayStart();
    if (name === 'body') this.#hasBody = true;
    if (textElements.has(name)) this.#textElement = { name, at };
    if (!this.#isConditional) this.#text.open(name, given);
  }

  #readAttribute({ name, raw, value, quote, at }: HtmlAttribute): void {
    const mark = quote ?? '"';
    const literal = (text: string) => this.#markup(quote === null ? text.replaceAll('"', '&quot;') : text);
    this.#markup(` ${name}=${mark}`);
    const problems = addressProblems(name, value);
    for (const problem of problems ?? []) this.#problem(at, problem);
    for (const part of problems === null ? this.#fieldsIn(raw, at) : [raw]) {
      if (typeof part === 'string') literal(part);
      else if (textAttributes.test(name) && !isUnsubscribe(part)) this.#pieces.push({ kind: 'merge', field: part });
      else this.#problem(at, unsafePosition(nameOf(part)));
    }
    this.#markup(mark);
  }

  /** False if SES must not rewrite the address. */
  #readHref(element: string, { value, at }: HtmlAttribute): boolean {
    const written = value.trim();
    const [field, ...others] = readMergeFields(written, this.#names).parts;
    if (typeof field === 'object' && isUnsubscribe(field) && others.length === 0) {
      this.#markup(' href="');
      this.#pieces.push({ kind: 'merge', field });
      this.#markup('"');
      if ((element === 'a' || element === 'area') && !this.#isConditional) this.#hasUnsubscribeLink = true;
      return false;
    }
    const isInside = /^#[\w:.-]*$/.test(written);
    const target = element === 'link' ? readImageSource(written) : readLinkTarget(written);
    if (!isInside && !target.ok) {
      this.#problem(at, target.problem);
      return true;
    }
    const href = target.ok && !isInside ? target.href : written;
    this.#markup(` href="${href.replaceAll('&', '&amp;')}"`);
    if (element === 'link') return true;
    const isWeb = /^https?:/.test(href);
    if (isWeb) this.#links.add(href);
    return isWeb;
  }

  #readEndTag({ name, written }: TokenOf<'close'>): void {
    if (this.#textElement?.name === name) this.#textElement = null;
    if (name === 'body' || (name === 'html' && this.#end === null)) this.#end = this.#pieces.length;
    this.#markup(`</${written}>`);
    if (name === 'head') this.#bodyMayStart();
    if (!this.#isConditional) this.#text.close(name);
  }

  /** Comments are left out, but for those by which authors write for Outlook alone, or for all others. */
  #readComment({ raw, at, isBogus }: TokenOf<'comment'>): void {
    if (isBogus) {
      if (bogusCondition.test(raw)) this.#markup(`<!${raw}>`);
      return;
    }
    if (shownCondition.test(raw)) this.#markup(`<!--${raw}-->`);
    const [, opening, inner] = hiddenCondition.exec(raw) ?? [];
    if (opening === undefined || inner === undefined) return;
    const reader = new HtmlReader(this.#names, { isConditional: true, offset: this.#offset + at + opening.length });
    for (const token of htmlTokens(inner)) if (token.kind !== 'comment') reader.read(token);
    const { pieces, links, problems } = reader.end();
    this.#markup(`<!--${opening}`);
    this.#pieces.push(...pieces);
    this.#markup('<![endif]-->');
    for (const link of links) this.#links.add(link);
    this.#problems.push(...problems.slice(0, maxProblems - this.#problems.length));
  }
}

const attributeName = /^[a-z_:][a-z0-9_:.-]*$/;
/** `<![if !mso]>`, `<!--[if !mso]><!-->` and `<!--[if mso]>…<![endif]-->`. */
const bogusCondition = /^(?:\[if [!()&|\w. ]{1,100}\]|\[endif\])$/i;
const shownCondition = /^(?:\[if [!()&|\w. ]{1,100}\]><!(?:-- ?)?|<!\[endif\])$/i;
const hiddenCondition = /^(\[if [!()&|\w. ]{1,100}\]>)([\s\S]*)<!\[endif\]$/i;

function nameOf({ source }: MergeField): string {
  if (source.kind === 'unsubscribe') return 'unsubscribe_url';
  return 'name' in source ? `fields.${source.name}` : source.kind;
}
