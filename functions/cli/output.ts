/** What a command has to say: for machines, and for people. */
export interface Output {
  readonly json: unknown;
  readonly text: string;
  /** What the command ends with, if not 0: it went well, and what it found did not. */
  readonly exitCode?: number;
}

export type Cell = string | number | boolean | null | undefined;

/** Columns as wide as their longest cell; `whenEmpty` instead of a table without lines. */
export function table(columns: readonly string[], rows: readonly (readonly Cell[])[], whenEmpty: string): string {
  if (rows.length === 0) return whenEmpty;
  const lines = [columns.map((column) => column.toUpperCase()), ...rows.map((row) => row.map(cellText))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names and their values, one a line. */
export function fields(entries: readonly (readonly [string, Cell])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}`).join('\n');
}

function cellText(value: Cell): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return printable(String(value));
}

/** What came from outside must not move the cursor of a terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '?');
}

export function percent(rate: number): string {
  return `${(rate * 100).toFixed(2)} %`;
}

export function print({ json, text, exitCode = 0 }: Output, asJson: boolean): void {
  process.exitCode = exitCode;
  process.stdout.write(`${asJson ? JSON.stringify(json, null, 2) : text}\n`);
}
