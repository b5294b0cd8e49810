import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { ValidationError } from '../../../../shared/contract/errors.ts';
import { issuesOf } from '../../../../shared/contract/issues.ts';
import { inZone, isZone, parseWallTime, shownInZone } from '../../../../shared/domain/time/zonedTime.ts';

/** A moment that an operator wrote, and what they should know of it. */
export interface WrittenMoment {
  readonly at: Date;
  /** How a clock of the zone shows it; null when no zone was named. */
  readonly shown: string | null;
  /** Null when there was only one way to read it. */
  readonly remark: string | null;
}

/**
 * A moment with an offset, or a time with the name of a zone: the zone of this machine is nobody's. Which of two times
 * of the same name is meant is said; one that its zone leaves out is refused.
 */
export function momentOf(text: string, zone: string | undefined): WrittenMoment {
  if (zone === undefined) return { at: withOffset(text), shown: null, remark: null };
  if (!isZone(zone)) {
    throw new Error(`"${zone}" is no time zone: write a name such as Europe/Paris or America/New_York.`);
  }
  const wall = parseWallTime(text);
  if (!wall) throw new Error('Beside --zone, write --at as a day and a time: "2026-12-01 09:00".');
  const found = inZone(wall, zone);
  if (found.kind === 'gap') {
    throw new Error(
      `There is no ${text.trim()} in ${zone}: its clocks jump over it. Instead: ${shownInZone(found.instead, zone)}.`,
    );
  }
  const remark =
    found.kind === 'fold'
      ? `Its clocks show that time twice; this is the first. The second is ${found.later.toISOString()}.`
      : null;
  return { at: found.at, shown: shownInZone(found.at, zone), remark };
}

function withOffset(text: string): Date {
  const at = new Date(text);
  const isDay = parseWallTime(`${text.slice(0, 10)} 00:00`) !== null;
  if (!isDay || Number.isNaN(at.getTime()) || !/(?:Z|[+-]\d\d:?\d\d)$/.test(text)) {
    throw new Error('Write a moment with its offset, such as 2026-12-01T09:00+01:00, or name its zone with --zone.');
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
