import type { MergeField } from '../content/mergeField.ts';

/** What a variable of the template stands for in one message. */
export type VariableSource =
  | { readonly kind: 'merge'; readonly field: MergeField }
  | { readonly kind: 'unsubscribe' }
  | { readonly kind: 'constant'; readonly text: string };

export type MessagePart = 'subject' | 'html' | 'text';

/** One use of a value in one part: SES puts it in as it is, so each part has its own escaping. */
export interface Variable {
  readonly name: string;
  readonly part: MessagePart;
  readonly source: VariableSource;
}

/** A message as SES's inline template takes it: `{{name}}` and nothing else has a meaning in it. */
export interface Template {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly variables: readonly Variable[];
  /** Every web link of the message, each once, in the order in which it first stands. */
  readonly links: readonly string[];
}

/**
 * Gathers the variables of a message while it is written. One variable per use and part, as SES's substitution asks for
 * simple names; runs of `{`, `}` and `\` in text are variables too, since they mean something to it.
 */
export class TemplateWriter {
  readonly variables: Variable[] = [];
  readonly #links = new Set<string>();

  get links(): readonly string[] {
    return [...this.#links];
  }

  /** The placeholder for a value. */
  place(part: MessagePart, source: VariableSource): string {
    const name = `${part.charAt(0)}${this.variables.length}`;
    this.variables.push({ name, part, source });
    return `{{${name}}}`;
  }

  /** Text that stands for itself in the subject or the text part. */
  plain(part: 'subject' | 'text', text: string): string {
    return text.replace(/[{}\\]+/g, (run) => this.place(part, { kind: 'constant', text: run }));
  }

  /** Text that stands for itself in the HTML part or in one of its attributes. */
  html(text: string): string {
    return escapeHtml(text);
  }

  link(href: string): void {
    if (/^https?:/.test(href)) this.#links.add(href);
  }
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '{': '&#123;',
  '}': '&#125;',
  '\\': '&#92;',
};

/** Braces and backslashes as references, too: in the raw HTML they would be SES's. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'{}\\]/g, (character) => references[character] ?? character);
