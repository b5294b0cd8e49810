import { readFileSync, statSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { addressKey, addressProblemTexts, parseAddress } from '../../shared/domain/address.ts';
import { characterCount } from '../../shared/domain/encoding.ts';
import { inZone, isZone, parseWallTime, shownInZone } from '../../shared/domain/zonedTime.ts';

/** The argument parser of a name that people read. */
export function nameText(text: string): string {
  const name = text.trim();
  if (name.length > 0 && characterCount(name) <= 100 && !/\p{Cc}/u.test(name)) return name;
  throw new InvalidArgumentError('A name has 1 to 100 characters.');
}

/** The argument parser of a list with commas. */
export function commaList(text: string): string[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.some((word) => word === '')) throw new InvalidArgumentError('Separate the words with commas: a,b,c');
  return words;
}

/** The argument parser of a value in JSON. */
export function jsonArgument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError(`"${text}" is not JSON.`);
  }
}

/** The argument parser of an address, in the form in which addresses are compared. */
export function addressText(text: string): string {
  const parsed = parseAddress(text);
  if (parsed.ok) return addressKey(parsed.address);
  throw new InvalidArgumentError(`"${text}" ${addressProblemTexts[parsed.problem].en}.`);
}

/** The argument parser of a whole number from 1 to `max`. */
export function countUpTo(max: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (/^\d+$/.test(text) && count >= 1 && count <= max) return count;
    throw new InvalidArgumentError(`Give a number from 1 to ${max}.`);
  };
}

/** The index of a variant that is given by its number. */
export function variantIndex(text: string): number {
  if (/^[1-4]$/.test(text)) return Number(text) - 1;
  throw new InvalidArgumentError('Variants are numbered from 1 to 4.');
}

/** Throws for a path at which there is no file, in words instead of the system's code. */
export function requireFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new Error(`There is no file "${file}".`);
  if (found.isDirectory()) throw new Error(`"${file}" is a folder, not a file.`);
}

export function fileText(file: string): string {
  requireFile(file);
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

/** A time that an operator entered. */
export interface EnteredTime {
  readonly at: Date;
  /** The same time on a clock of the zone; null without --zone. */
  readonly shown: string | null;
  /** A remark if the text has two meanings, else null. */
  readonly remark: string | null;
}

/**
 * Reads a time with an offset, or a time in a named zone; the zone of this machine is never used. When clocks are set
 * back and show a time twice, the first is meant. Throws for a time that they skip.
 */
export function timeOf(text: string, zone: string | undefined): EnteredTime {
  if (zone === undefined) return { at: withOffset(text), shown: null, remark: null };
  if (!isZone(zone)) {
    throw new Error(`"${zone}" is not a time zone: give a name such as Europe/Paris or America/New_York.`);
  }
  const wall = parseWallTime(text);
  if (!wall) throw new Error('With --zone, give --at as a date and a time: "2026-12-01 09:00".');
  const time = inZone(wall, zone);
  if (time.kind === 'gap') {
    throw new Error(
      `${text.trim()} does not exist in ${zone}: its clocks skip it. Use ${shownInZone(time.instead, zone)} instead.`,
    );
  }
  const remark =
    time.kind === 'fold'
      ? `The clocks there show this time twice; the first is used. The second is ${time.later.toISOString()}.`
      : null;
  return { at: time.at, shown: shownInZone(time.at, zone), remark };
}

function withOffset(text: string): Date {
  const at = new Date(text);
  const isDay = parseWallTime(`${text.slice(0, 10)} 00:00`) !== null;
  if (!isDay || Number.isNaN(at.getTime()) || !/(?:Z|[+-]\d\d:?\d\d)$/.test(text)) {
    throw new Error('Give a time with its offset, such as 2026-12-01T09:00+01:00, or its zone with --zone.');
  }
  return at;
}
