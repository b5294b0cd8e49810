import Bowser from 'bowser';

/** What somebody reads with, in the words of a report. */
export interface ReadingAgent {
  readonly device: string;
  readonly os: string;
  readonly client: string;
}

/** Of what tells nothing of itself. */
const unknown = 'Other';

const devices: Readonly<Record<string, string>> = { mobile: 'Mobile', tablet: 'Tablet', desktop: 'Desktop', tv: 'TV' };

/** Mail clients, which a library for browsers does not know by their names. */
const clients: readonly (readonly [RegExp, string])[] = [
  [/Thunderbird\//, 'Thunderbird'],
  [/Outlook-(?:iOS|Android)/i, 'Outlook Mobile'],
  [/Microsoft Outlook|MSOffice|ms-office/i, 'Outlook'],
  [/YahooMobile|YMobile/i, 'Yahoo Mail'],
  [/SamsungEmail/i, 'Samsung Email'],
];

/** Apple Mail shows its engine and, unlike Safari, neither `Version/` nor `Safari/`. */
const isAppleMail = (agent: string): boolean =>
  /(?:iPhone|iPad|Macintosh).*AppleWebKit\//.test(agent) && !/Safari\/|Version\//.test(agent);

/** The library repeats what an agent calls itself: a counter bears no name that a stranger chose. */
const systems: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP));
const browsers: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const known = (names: ReadonlySet<string>, name: string | undefined): string =>
  name !== undefined && names.has(name) ? name : unknown;

/** Device, system and client of a user agent. */
export function readingAgent(userAgent: string): ReadingAgent {
  const agent = userAgent.trim().slice(0, 500);
  if (agent === '') return { device: unknown, os: unknown, client: unknown };
  const { platform, os, browser } = Bowser.parse(agent);
  const own = clients.find(([pattern]) => pattern.test(agent))?.[1];
  return {
    device: devices[platform.type ?? ''] ?? unknown,
    os: known(systems, os.name),
    client: own ?? (isAppleMail(agent) ? 'Apple Mail' : known(browsers, browser.name)),
  };
}
