import { ValidationError } from '../../../contract/errors.ts';
import type { Text } from '../../../language/text.ts';
import { delimiterOf, type ReadRow, readRows } from './csvFile.ts';

/**
 * The header and the first lines of a file, by its first bytes. Throws `validation_error` for what is not CSV in UTF-8
 * with a header.
 */
export async function firstRows(
  name: string,
  head: Buffer,
  isWhole: boolean,
): Promise<{ readonly header: ReadRow; readonly rows: readonly ReadRow[] }> {
  const problem = problemOfHead(head);
  if (problem) throw wrongFile(problem);
  const [header, ...rows] = await rowsOf(name, head, isWhole);
  const wrongHeader = header ? problemOfHeader(header.cells) : null;
  if (!header || wrongHeader) throw wrongFile(wrongHeader ?? noLine);
  return { header, rows };
}

/** The last line of a partial file may be incomplete, with an open quote, and is left out. */
async function rowsOf(name: string, head: Buffer, isWhole: boolean): Promise<ReadRow[]> {
  const start = { bytes: 0, line: 1 };
  const rows: ReadRow[] = [];
  try {
    for await (const row of readRows({ name, delimiter: delimiterOf(head), start, pieces: once(head) })) rows.push(row);
  } catch (error) {
    // The import reports an error further on, after the lines before it.
    if (rows.length < 2) throw error;
  }
  return isWhole ? rows : rows.slice(0, -1);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** A first line with an address is a person, not a header. */
function problemOfHeader(cells: readonly string[]): Text | null {
  if (cells.some((cell) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell.trim()))) return noHeader;
  return cells.length > maxColumns ? tooManyColumns : null;
}

const maxColumns = 200;

const noLine: Text = { en: 'has only blank lines', fr: 'ne contient que des lignes vides' };
const noHeader: Text = {
  en: 'must begin with a line of column names; its first line contains an address',
  fr: 'doit commencer par une ligne qui nomme ses colonnes ; la première contient une adresse',
};
const tooManyColumns: Text = {
  en: `has more than ${maxColumns} columns: remove some before you import it`,
  fr: `a plus de ${maxColumns} colonnes : retirez-en avant de l’importer`,
};

const wrongFile = (text: Text): ValidationError => new ValidationError([{ path: 'file', text }]);

/** Why a file is not CSV in UTF-8, by its first bytes; null when it may be. */
function problemOfHead(head: Buffer): Text | null {
  if (head.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return spreadsheet;
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isWide || head.subarray(0, 4096).includes(0)) return wide;
  return isUtf8(head) ? null : otherEncoding;
}

/** `stream` allows a character that is cut at the end of the piece. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

const spreadsheet: Text = {
  en: 'is a spreadsheet, not CSV: save it as “CSV UTF-8” and import that file',
  fr: 'est un classeur et non un CSV : enregistrez-le au format « CSV UTF-8 » et importez ce fichier',
};
const wide: Text = {
  en: 'is in UTF-16, or is not text: save it as “CSV UTF-8” and import that file',
  fr: 'est en UTF-16, ou n’est pas du texte : enregistrez-le au format « CSV UTF-8 » et importez ce fichier',
};
const otherEncoding: Text = {
  en: 'is not in UTF-8, so accented letters would be lost: save it as “CSV UTF-8” and import that file',
  fr: 'n’est pas en UTF-8, les lettres accentuées seraient perdues : enregistrez-le au format « CSV UTF-8 » et importez ce fichier',
};
