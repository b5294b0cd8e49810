/** A spreadsheet runs a cell that begins so (OWASP, "CSV injection"), wide forms included; a quote makes it text. */
const dangerous = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const guarded = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A cell that no spreadsheet runs. */
export function guardCell(text: string): string {
  return dangerous.test(text) ? `'${text}` : text;
}

/** The cell before `guardCell`, so that what was exported can be imported. */
export function unguardCell(text: string): string {
  return guarded.test(text) ? text.slice(1) : text;
}

/** Tags in one cell: with commas between them, or as JSON when one of them would be read as several. */
export function tagsCell(tags: readonly string[]): string {
  const text = tags.join(', ');
  const isPlain = readTags(text).length === tags.length && readTags(text).every((tag, index) => tag === tags[index]);
  return isPlain ? text : JSON.stringify(tags);
}

/** The tags of a cell: a JSON array, or words between commas or semicolons, in quotes or not. */
export function readTags(cell: string): string[] {
  return fromJson(cell) ?? cell.match(quotedOrBare)?.flatMap((tag) => unquoted(tag.trim()) || []) ?? [];
}

/** Mailchimp quotes each tag. A quote within a word is a part of it. */
const quotedOrBare = /\s*"(?:[^"]|"")*"\s*(?=[,;]|$)|[^,;]+/g;
const unquoted = (tag: string): string =>
  /^"(?:[^"]|"")*"$/.test(tag) ? tag.slice(1, -1).replaceAll('""', '"').trim() : tag;

function fromJson(cell: string): string[] | null {
  if (!cell.startsWith('[')) return null;
  try {
    const value: unknown = JSON.parse(cell);
    return Array.isArray(value) && value.every((tag) => typeof tag === 'string') ? value : null;
  } catch {
    return null;
  }
}
