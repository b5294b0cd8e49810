import { guardCell } from '../../../domain/encoding/csvCell.ts';
import type { CampaignRecipientOutcome } from './recipients.ts';

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
] as const satisfies readonly (keyof CampaignRecipientOutcome)[];

/** The first line of an export of people. */
export const recipientHeader = `${columns.join(',')}\n`;

/** One person as a line of which no spreadsheet runs a cell. */
export const recipientLine = (person: CampaignRecipientOutcome): string =>
  `${columns.map((name) => cell(String(person[name] ?? ''))).join(',')}\n`;

const cell = (text: string): string => {
  const guarded = guardCell(text);
  return /[",\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
};
