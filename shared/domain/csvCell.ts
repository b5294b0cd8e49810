/** Spreadsheets evaluate a cell that starts like this (OWASP, "CSV injection"). A leading quote makes it text. */
const dangerous = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const guarded = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A cell that no spreadsheet evaluates. */
export function guardCell(text: string): string {
  return dangerous.test(text) ? `'${text}` : text;
}

/** Undoes `guardCell`, so that an export can be imported. */
export function unguardCell(text: string): string {
  return guarded.test(text) ? text.slice(1) : text;
}

/** Tags in one cell: separated by commas, or as JSON where that would be ambiguous. */
export function tagsCell(tags: readonly string[]): string {
  const text = tags.join(', ');
  const isPlain = readTags(text).length === tags.length && readTags(text).every((tag, index) => tag === tags[index]);
  return isPlain ? text : JSON.stringify(tags);
}

/** The tags of a cell: a JSON array, or words separated by commas or semicolons, with or without quotes. */
export function readTags(cell: string): string[] {
  return fromJson(cell) ?? cell.match(quotedOrBare)?.flatMap((tag) => unquoted(tag.trim()) || []) ?? [];
}

/** Mailchimp quotes each tag. A quote inside a word belongs to the tag. */
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
