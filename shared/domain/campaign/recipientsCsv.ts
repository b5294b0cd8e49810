import { guardCell } from '../encoding/csvCell.ts';

const columns = [
  'email',
  'outcome',
  'reason',
  'delivered',
  'bounced',
  'complained',
  'opened',
  'clicked',
  'unsubscribed',
] as const;

/** What became of somebody, by what is told of it. */
type Told = Readonly<Record<(typeof columns)[number], string | boolean | null>>;

/** The first line of an export of people. */
export const recipientHeader = `${columns.join(',')}\n`;

/** One person as a line of which no spreadsheet runs a cell. */
export const recipientLine = (person: Told): string =>
  `${columns.map((name) => cell(String(person[name] ?? ''))).join(',')}\n`;

const cell = (text: string): string => {
  const guarded = guardCell(text);
  return /[",\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
};
