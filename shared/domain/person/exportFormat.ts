/** A file for spreadsheets, which an import takes back; or one JSON object a line. */
export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];
