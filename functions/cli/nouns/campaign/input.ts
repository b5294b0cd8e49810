import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { ValidationError } from '../../../../shared/contract/errors.ts';
import { issuesOf } from '../../../../shared/contract/issues.ts';

/** A moment with its zone: the time of this machine is nobody's. */
export function moment(text: string): Date {
  const at = new Date(text);
  // A day that there is not, such as 30 February, would silently be another one.
  const day = new Date(`${text.slice(0, 10)}T00:00Z`);
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
  if (!isDay || Number.isNaN(at.getTime()) || !/(?:Z|[+-]\d\d:?\d\d)$/.test(text)) {
    throw new InvalidArgumentError('Write a moment with its time zone, such as 2026-12-01T09:00+01:00.');
  }
  return at;
}

export function fileText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`"${file}" cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

export function jsonOf(file: string): unknown {
  try {
    return JSON.parse(fileText(file));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(`"${file}" is not JSON: ${error.message}.`);
  }
}

/** A schema of the contract, as far as it is used here. */
interface Schema<Parsed> {
  safeParse(
    value: unknown,
    options: { reportInput: boolean },
  ): { success: true; data: Parsed } | { success: false; error: Parameters<typeof issuesOf>[0] };
}

/** What the API would take for the same request. */
export function checked<Parsed>(schema: Schema<Parsed>, value: unknown): Parsed {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (!parsed.success) throw new ValidationError(issuesOf(parsed.error));
  return parsed.data;
}

export function variantNumber(text: string): number {
  if (/^[1-4]$/.test(text)) return Number(text) - 1;
  throw new InvalidArgumentError('Variants are numbered from 1 to 4.');
}
