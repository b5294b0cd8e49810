import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** An attribute as written, without its quotes, and with its references decoded. */
export interface HtmlAttribute {
  readonly name: string;
  readonly at: number;
  readonly raw: string;
  readonly value: string;
  /** A value without quotes has none. */
  readonly quote: '"' | "'" | null;
}

/** A piece of HTML. `at` is its offset in the source; `name` is in lower case, `written` as in the source. */
export type HtmlToken =
  | { readonly kind: 'text'; readonly at: number; readonly raw: string }
  | {
      readonly kind: 'open';
      readonly at: number;
      readonly name: string;
      readonly written: string;
      readonly attributes: readonly HtmlAttribute[];
      readonly isSelfClosing: boolean;
    }
  | { readonly kind: 'close'; readonly at: number; readonly name: string; readonly written: string }
  /** `isBogus`: `<![if …]>`, which browsers read as a comment and Outlook does not. */
  | { readonly kind: 'comment'; readonly at: number; readonly raw: string; readonly isBogus: boolean }
  | { readonly kind: 'doctype'; readonly at: number; readonly raw: string };

/** Divides HTML as browsers do. An unfinished tag at the end is left out, as browsers leave it out. */
export function htmlTokens(html: string): HtmlToken[] {
  const reader = new TokenReader(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader);
  tokenizer.write(html);
  tokenizer.end();
  return reader.tokens();
}

/** The text that character references such as `&amp;` stand for. */
export function decodeReferences(html: string): string {
  if (!html.includes('&')) return html;
  // As the value of an attribute, so that nothing in it is a tag.
  const [token] = htmlTokens(`<i title="${html.replaceAll('"', '&quot;')}">`);
  return token?.kind === 'open' ? (token.attributes[0]?.value ?? '') : '';
}

const quotes = { [QuoteType.Single]: "'", [QuoteType.Double]: '"' } as const;

class TokenReader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #tokens: HtmlToken[] = [];
  /** Where the text begins that was not added yet. */
  #textStart: number | null = null;
  #textEnd = 0;
  #tag: { at: number; written: string; attributes: HtmlAttribute[] } | null = null;
  #attribute: { name: string; at: number; value: string } | null = null;

  constructor(html: string) {
    this.#html = html;
  }

  tokens(): HtmlToken[] {
    this.#endText();
    return this.#tokens;
  }

  ontext(start: number, end: number): void {
    this.#textStart ??= start;
    this.#textEnd = end;
  }

  ontextentity(_codepoint: number, end: number): void {
    // A reference begins where the text before it ended, or at its `&`.
    this.#textStart ??= this.#html.lastIndexOf('&', end - 1);
    this.#textEnd = end;
  }

  onopentagname(start: number, end: number): void {
    this.#endText();
    this.#tag = { at: start - 1, written: this.#html.slice(start, end), attributes: [] };
  }

  onattribname(start: number, end: number): void {
    this.#attribute = { name: this.#html.slice(start, end).toLowerCase(), at: start, value: '' };
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute) this.#attribute.value += this.#html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    if (this.#attribute) this.#attribute.value += String.fromCodePoint(codepoint);
  }

  onattribend(quote: QuoteType, end: number): void {
    const attribute = this.#attribute;
    if (!attribute || !this.#tag) return;
    const { name, at, value } = attribute;
    const mark = quote === QuoteType.Single || quote === QuoteType.Double ? quotes[quote] : null;
    this.#tag.attributes.push({ name, at, value, raw: rawValue(this.#html.slice(at, end), mark), quote: mark });
    this.#attribute = null;
  }

  onopentagend(): void {
    this.#endTag(false);
  }

  onselfclosingtag(): void {
    this.#endTag(true);
  }

  onclosetag(start: number, end: number): void {
    this.#endText();
    const written = this.#html.slice(start, end);
    this.#tokens.push({ kind: 'close', at: start - 2, name: written.toLowerCase(), written });
  }

  oncomment(start: number, end: number, endOffset: number): void {
    this.#endText();
    const isBogus = this.#html.slice(start - 4, start) !== '<!--';
    this.#tokens.push({ kind: 'comment', at: start, raw: this.#html.slice(start, end - endOffset), isBogus });
  }

  ondeclaration(start: number, end: number): void {
    this.#endText();
    this.#tokens.push({ kind: 'doctype', at: start, raw: this.#html.slice(start, end) });
  }

  oncdata(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #endTag(isSelfClosing: boolean): void {
    if (!this.#tag) return;
    const { at, written, attributes } = this.#tag;
    this.#tokens.push({ kind: 'open', at, name: written.toLowerCase(), written, attributes, isSelfClosing });
    this.#tag = null;
  }

  #endText(): void {
    if (this.#textStart === null) return;
    this.#tokens.push({ kind: 'text', at: this.#textStart, raw: this.#html.slice(this.#textStart, this.#textEnd) });
    this.#textStart = null;
  }
}

/** The value in `name = "value"`. */
function rawValue(written: string, quote: '"' | "'" | null): string {
  const equals = written.indexOf('=');
  if (equals === -1) return '';
  const value = written.slice(equals + 1).trim();
  if (quote === null) return value;
  return value.slice(1, value.endsWith(quote) && value.length > 1 ? -1 : undefined);
}
