import { type BreakdownName, countedLinks, shownWindows, windowHours } from './slice.ts';
import type { Tally } from './tally.ts';

/** The people of a campaign in the words of its report. */
export interface ReportCounts {
  readonly recipients: number;
  readonly delivered: number;
  readonly opened: number;
  readonly clicked: number;
  readonly bounced: number;
  readonly complained: number;
  readonly unsubscribed: number;
}

/** `people` is the frozen list; who was skipped after the freeze is no recipient. */
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

/** Opens and clicks of those delivered, deliveries and bounces of the recipients; null while there is nothing to divide. */
export function reportRates(counts: ReportCounts) {
  return {
    delivered: ratio(counts.delivered, counts.recipients),
    opened: ratio(counts.opened, counts.delivered),
    clicked: ratio(counts.clicked, counts.delivered),
    bounced: ratio(counts.bounced, counts.recipients),
  };
}

/** Never above 1: an open may be known before the delivery is. */
const ratio = (part: number, whole: number): number | null => (whole > 0 ? Math.min(1, rounded(part / whole)) : null);
const rounded = (share: number): number => Math.round(share * 10_000) / 10_000;

/** `0-6h` to `42-48h`, from each person's own send. */
export function timeline(tally: Tally): { label: string; opened: number; clicked: number }[] {
  return Array.from({ length: shownWindows }, (_, window) => ({
    label: `${window * windowHours}-${(window + 1) * windowHours}h`,
    opened: of(tally, `opened.${window}`),
    clicked: of(tally, `clicked.${window}`),
  }));
}

const topRows = 5;

/** The most frequent labels of a breakdown; shares are of everybody whose label is known. */
export function breakdownRows(tally: Tally, name: BreakdownName): { label: string; count: number; share: number }[] {
  const rows = Object.entries(tally).filter(([key, count]) => key.startsWith(`${name}.`) && count > 0);
  const total = rows.reduce((sum, [, count]) => sum + count, 0);
  return rows
    .map(([key, count]) => ({ label: key.slice(name.length + 1), count, share: rounded(count / total) }))
    .sort((a, b) => b.count - a.count || a.label.localeCompare(b.label))
    .slice(0, topRows);
}

/** People whose own device is known, and how much of the opens came through relays. */
export function engagement(tally: Tally): { total: number; proxiedShare: number } {
  const total = Object.entries(tally).reduce((sum, [key, count]) => (key.startsWith('device.') ? sum + count : sum), 0);
  const opened = of(tally, 'opened');
  return { total, proxiedShare: opened > 0 ? Math.min(1, rounded(of(tally, 'relayed') / opened)) : 0 };
}

/** Every link that is counted on its own, the most clicked first. */
export function linkRows(tally: Tally, links: readonly string[]): { url: string; clicks: number }[] {
  const counted = links.slice(0, countedLinks);
  return counted.map((url, index) => ({ url, clicks: of(tally, `link.${index}`) })).sort((a, b) => b.clicks - a.clicks);
}

/** Negative in the moments between a change of a slice and the recount that sets it right. */
const of = (tally: Tally, name: string): number => Math.max(0, tally[name] ?? 0);

/** How far a campaign is; `waiting` is what remains, so that the five always add up to `queued`. */
export function progressCounts(tally: Tally, people: number) {
  const sent = Math.min(people, of(tally, 'sent'));
  const skipped = Math.min(people - sent, of(tally, 'skipped'));
  const failed = Math.min(people - sent - skipped, of(tally, 'failed'));
  const uncertain = Math.min(people - sent - skipped - failed, of(tally, 'uncertain'));
  return { queued: people, sent, skipped, failed, uncertain, waiting: people - sent - skipped - failed - uncertain };
}
