/** Text that is safe to put into HTML, because it was escaped or because it was written here. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

type Insertable = string | number | Html | readonly Html[];

/** Tagged template: everything inserted is escaped unless it is Html already. */
export function html(strings: TemplateStringsArray, ...values: readonly Insertable[]): Html {
  const inserted = values.map((value) => {
    if (value instanceof Html) return value.markup;
    return typeof value === 'object' ? value.map((part) => part.markup).join('') : escapeText(String(value));
  });
  return new Html(strings.map((text, index) => text + (inserted[index] ?? '')).join(''));
}

export const nothing = new Html('');

function escapeText(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
