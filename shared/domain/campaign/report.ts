import { guardCell } from '../csvCell.ts';
import { dayCounterOf } from './dayCounts.ts';
import {
  agentsOf,
  type BreakdownName,
  breakdowns,
  countedLinks,
  outcomeOf,
  type SetName,
  type SliceSets,
  setOf,
  shownWindows,
  skipReasons,
  windowHours,
} from './slice.ts';

/** The counts of a report: people, not events. */
export interface ReportCounts {
  readonly recipients: number;
  readonly delivered: number;
  readonly opened: number;
  readonly clicked: number;
  readonly bounced: number;
  readonly complained: number;
  readonly unsubscribed: number;
}

/** `people` is the length of the frozen list. Skipped people are no recipients. */
export function reportCounts(tally: Tally, people: number): ReportCounts {
  return {
    recipients: people - of(tally, 'skipped'),
    delivered: of(tally, 'delivered'),
    opened: of(tally, 'opened'),
    clicked: of(tally, 'clicked'),
    bounced: of(tally, 'bounced'),
    complained: of(tally, 'complained'),
    unsubscribed: of(tally, 'unsubscribed'),
  };
}

/** Opens and clicks per delivery; deliveries and bounces per recipient. Null where the divisor is 0. */
export function reportRates(counts: ReportCounts) {
  return {
    delivered: ratio(counts.delivered, counts.recipients),
    opened: ratio(counts.opened, counts.delivered),
    clicked: ratio(counts.clicked, counts.delivered),
    bounced: ratio(counts.bounced, counts.recipients),
  };
}

/** Never above 1, although an open may be reported before its delivery. */
const ratio = (part: number, whole: number): number | null => (whole > 0 ? Math.min(1, rounded(part / whole)) : null);
const rounded = (share: number): number => Math.round(share * 10_000) / 10_000;

/** Opens and clicks by window, `0-6h` to `42-48h` after each person's own send. */
export function timeline(tally: Tally): { label: string; opened: number; clicked: number }[] {
  return Array.from({ length: shownWindows }, (_, window) => ({
    label: `${window * windowHours}-${(window + 1) * windowHours}h`,
    opened: of(tally, `opened.${window}`),
    clicked: of(tally, `clicked.${window}`),
  }));
}

const topRows = 5;

/** The most frequent labels of a breakdown. Shares are of all people with a known label. */
export function breakdownRows(tally: Tally, name: BreakdownName): { label: string; count: number; share: number }[] {
  const rows = Object.entries(tally).filter(([key, count]) => key.startsWith(`${name}.`) && count > 0);
  const total = rows.reduce((sum, [, count]) => sum + count, 0);
  return rows
    .map(([key, count]) => ({ label: key.slice(name.length + 1), count, share: rounded(count / total) }))
    .sort((a, b) => b.count - a.count || a.label.localeCompare(b.label))
    .slice(0, topRows);
}

/** `total`: people with a known device. `proxiedShare`: the share of openers whose open came through a relay. */
export function engagement(tally: Tally): { total: number; proxiedShare: number } {
  const total = Object.entries(tally).reduce((sum, [key, count]) => (key.startsWith('device.') ? sum + count : sum), 0);
  const opened = of(tally, 'opened');
  return { total, proxiedShare: opened > 0 ? Math.min(1, rounded(of(tally, 'relayed') / opened)) : 0 };
}

/** The links that are counted one by one, the most clicked first. */
export function linkRows(tally: Tally, links: readonly string[]): { url: string; clicks: number }[] {
  const counted = links.slice(0, countedLinks);
  return counted.map((url, index) => ({ url, clicks: of(tally, `link.${index}`) })).sort((a, b) => b.clicks - a.clicks);
}

/** A stored counter can be below 0 for a moment, until a recount corrects it. */
const of = (tally: Tally, name: string): number => Math.max(0, tally[name] ?? 0);

/** The progress of a campaign. `waiting` is the rest, so that all add up to `queued`. */
export function progressCounts(tally: Tally, people: number) {
  const sent = Math.min(people, of(tally, 'sent'));
  const skipped = Math.min(people - sent, of(tally, 'skipped'));
  const failed = Math.min(people - sent - skipped, of(tally, 'failed'));
  const uncertain = Math.min(people - sent - skipped - failed, of(tally, 'uncertain'));
  return { queued: people, sent, skipped, failed, uncertain, waiting: people - sent - skipped - failed - uncertain };
}

/** Counters by name. They count people, each once, not events. */
export type Tally = Readonly<Record<string, number>>;

/**
 * The counters of one slice of `size` people, computed from its sets. Used for changes of the stored counters and for
 * recounts, so that both agree.
 */
export function countSlice(sets: SliceSets, size: number): Tally {
  const counts = new Map<string, number>();
  const add = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const reached = new Set<number>();
  for (let position = 0; position < size; position += 1) {
    for (const name of namesOf(sets, position)) {
      add(name);
      reached.add(position);
    }
  }
  const links = (Object.keys(sets) as SetName[]).filter((name) => name.startsWith('link.'));
  for (const name of links) for (const one of setOf(sets, name)) if (reached.has(one)) add(name);
  for (const [position, agent] of agentsOf(sets)) {
    if (!reached.has(position)) continue;
    for (const name of breakdowns) if (agent[name] !== undefined) add(`${name}.${agent[name]}`);
  }
  return Object.fromEntries(counts);
}

function* namesOf(sets: SliceSets, position: number): Generator<string> {
  const isIn = (name: SetName) => setOf(sets, name).has(position);
  const outcome = outcomeOf(sets, position);
  if (outcome === 'waiting') return;
  yield outcome;
  if (outcome === 'skipped') yield `skip.${skipReasons.find((reason) => isIn(`skip.${reason}`))}`;
  if (isIn('bounced')) yield 'bounced';
  else if (isIn('delivered') || isIn('complained')) yield 'delivered';
  if (isIn('complained')) yield 'complained';
  if (isIn('unsubscribed')) yield 'unsubscribed';
  yield* engaged(sets, position, 'open', 'opened');
  yield* engaged(sets, position, 'click', 'clicked');
  if (isIn('relayed')) yield 'relayed';
}

/** A person with several windows counts in the first. */
function* engaged(
  sets: SliceSets,
  position: number,
  kind: 'open' | 'click',
  counter: 'opened' | 'clicked',
): Generator<string> {
  for (let window = 0; window <= shownWindows; window += 1) {
    if (!setOf(sets, `${kind}.${window}`).has(position)) continue;
    yield counter;
    yield `${counter}.${window}`;
    return;
  }
}

/** The number of people who opened without a relay, which leaves a device. Decides tests. */
export function ownOpens(sets: SliceSets, size: number): number {
  return [...agentsOf(sets).keys()].filter((position) => position < size).length;
}

/** True for a counter of outcomes, false for a counter of later events. */
export const isOfOutcome = (name: string): boolean =>
  ['sent', 'failed', 'skipped', 'uncertain'].includes(name) ||
  name.startsWith('skip.') ||
  dayCounterOf(name)?.counter === 'sent';

/** What to add to counters for a change of a slice: only what differs. */
export function difference(before: Tally, after: Tally): Tally {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].map((name): [string, number] => [name, (after[name] ?? 0) - (before[name] ?? 0)]);
  return Object.fromEntries(changed.filter(([, change]) => change !== 0));
}

export function sum(tallies: Iterable<Tally>): Tally {
  const total = new Map<string, number>();
  for (const tally of tallies) {
    for (const [name, count] of Object.entries(tally)) total.set(name, (total.get(name) ?? 0) + count);
  }
  return Object.fromEntries(total);
}

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

/** A line of an export of recipients, by column. */
type RecipientColumns = Readonly<Record<(typeof columns)[number], string | boolean | null>>;

/** The first line of an export of recipients. */
export const recipientHeader = `${columns.join(',')}\n`;

/** A recipient as a line of CSV, with cells that no spreadsheet takes for a formula. */
export const recipientLine = (person: RecipientColumns): string =>
  `${columns.map((name) => cell(String(person[name] ?? ''))).join(',')}\n`;

const cell = (text: string): string => {
  const guarded = guardCell(text);
  return /[",\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
};
