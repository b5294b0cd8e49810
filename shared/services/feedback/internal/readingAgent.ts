import Bowser from 'bowser';
import type { ReadingAgent } from '../../../domain/campaign/slice.ts';

const unknown = 'Other';

const devices: Readonly<Record<string, string>> = { mobile: 'Mobile', tablet: 'Tablet', desktop: 'Desktop', tv: 'TV' };

/** Mail clients that Bowser, a library for browsers, does not know. */
const clients: readonly (readonly [RegExp, string])[] = [
  [/Thunderbird\//, 'Thunderbird'],
  [/Outlook-(?:iOS|Android)/i, 'Outlook Mobile'],
  [/Microsoft Outlook|MSOffice|ms-office/i, 'Outlook'],
  [/YahooMobile|YMobile/i, 'Yahoo Mail'],
  [/SamsungEmail/i, 'Samsung Email'],
];

/** Apple Mail sends its engine and, unlike Safari, neither `Version/` nor `Safari/`. */
const isAppleMail = (agent: string): boolean =>
  /(?:iPhone|iPad|Macintosh).*AppleWebKit\//.test(agent) && !/Safari\/|Version\//.test(agent);

/** Bowser returns names that a user agent gives itself. Only known names may become names of counters. */
const systems: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP));
const browsers: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const known = (names: ReadonlySet<string>, name: string | undefined): string =>
  name !== undefined && names.has(name) ? name : unknown;

export function readingAgent(userAgent: string): ReadingAgent {
  const agent = userAgent.trim().slice(0, 500);
  if (agent === '') return { device: unknown, os: unknown, client: unknown };
  const { platform, os, browser } = Bowser.parse(agent);
  const client = clients.find(([pattern]) => pattern.test(agent))?.[1];
  return {
    device: devices[platform.type ?? ''] ?? unknown,
    os: known(systems, os.name),
    client: client ?? (isAppleMail(agent) ? 'Apple Mail' : known(browsers, browser.name)),
  };
}
