/** Markup that was written here, or text that was escaped. Only this file makes it: no raw string ever becomes one. */
class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Html = Markup;
export type Insertable = string | number | Html | null | readonly Html[];

/** Tagged template for elements and double-quoted attributes: inserted values are escaped unless they are `Html`. */
export function html(strings: TemplateStringsArray, ...values: readonly Insertable[]): Html {
  return new Markup(strings.map((text, index) => text + inserted(values[index] ?? null)).join(''));
}

/** A style sheet or a script of ours as an element: its text is not escaped. Throws when it would end the element. */
export function elementOf(name: 'style' | 'script', text: string): Html {
  if (/<\/|<!--/.test(text)) throw new Error(`This text cannot stand in <${name}>.`);
  return new Markup(`<${name}>${text}</${name}>`);
}

function inserted(value: Insertable): string {
  if (value === null) return '';
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'object') return value.map(inserted).join('');
  return escapeText(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Control characters become U+FFFD, so that none hides or cuts the text after it. */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '\ufffd')
    .replace(/[&<>"'`]/g, (character) => entities[character] ?? '');
}

/**
 * Fills `{name}` in a sentence. Each value is in `<bdi>`, so that a right-to-left name or direction marks in it cannot
 * reorder the sentence.
 */
export function fill(sentence: string, values: Readonly<Record<string, string>>): Html {
  const parts = sentence.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return html`${part}`;
    return html`<bdi>${breakable(values[part] ?? '')}</bdi>`;
  });
  return html`${parts}`;
}

/** A long address wraps before its @ and not within a word. */
function breakable(value: string): readonly Html[] {
  return value.split(/(?=@)/).map((part, index) => (index === 0 ? html`${part}` : html`<wbr>${part}`));
}
