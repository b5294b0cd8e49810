import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Priced {
  readonly total: number;
  readonly storage: number;
  readonly parts: Readonly<Record<string, number>>;
}

interface Quoted {
  readonly costs?: {
    readonly priced?: Readonly<Record<string, Priced>>;
    readonly idle?: Readonly<Record<string, number>>;
  };
  readonly emails?: { readonly lists?: Readonly<Record<string, { plain: { delivered: { writeUnits: number } } }>> };
}

/** The figures of the committed report, section by section. */
const figures = Object.fromEntries(
  Object.entries(JSON.parse(read('test/bench/report.json')).sections).map(([name, section]) => [
    name,
    (section as { figures: unknown }).figures,
  ]),
) as Quoted;

/** A number of the report; undefined where the report has none. */
type Figure = number | undefined;

const sum = (parts: readonly Figure[]): Figure =>
  parts.reduce((total, part) => (total === undefined || part === undefined ? undefined : total + part), 0);
const priced = (what: string): Priced | undefined => {
  const all = figures.costs?.priced ?? {};
  return all[what] ?? Object.entries(all).find(([name]) => name.startsWith(what))?.[1];
};
const total = (what: string): Figure => priced(what)?.total;
const storage = (what: string): Figure => priced(what)?.storage;
const sending = (what: string): Figure => sum([total(what), -(storage(what) ?? Number.NaN)]);
const parts = (what: string, ...kinds: string[]): Figure => sum(kinds.map((kind) => priced(what)?.parts[kind]));
const idle = (beginning = ''): Figure => {
  const found = Object.entries(figures.costs?.idle ?? {}).filter(([name]) => name.includes(beginning));
  return found.length === 0 ? undefined : sum(found.map(([, dollars]) => dollars));
};
/** The count that is a part of a name: `49 alarms`. */
const counted = (name: RegExp): Figure => {
  const found = Object.keys(figures.costs?.idle ?? {}).flatMap((key) => name.exec(key)?.[1] ?? []);
  return found[0] === undefined ? undefined : Number(found[0]);
};
const writes = (list: string): Figure => figures.emails?.lists?.[list]?.plain.delivered.writeUnits;

const newest = 'single emails, list "newest", the default, in bursts';
const keyed = 'single emails, list "newest", the default, in bursts, with an Idempotency-Key';
const newestAlone = 'single emails, list "newest", the default, each alone in its minute';
const none = 'single emails, list "none", in bursts';
const noneAlone = 'single emails, list "none", each alone in its minute';
const tagged = 'single emails, list "recipient-and-tag", in bursts';
const requests = ['reads', 'writes'];
const lambda = ['Lambda time', 'Lambda calls'];

/**
 * Where a number of the report stands in a text: the document, a sentence whose groups are numbers, and what the report
 * has for each of them. A number is compared as it is written, with as many digits.
 */
const quotes: readonly (readonly [document: string, sentence: RegExp, figures: readonly Figure[]])[] = [
  [
    'README.md',
    /default settings, sent and delivered in bursts, and kept for a year \| (\S+) \| storage (\S+), DynamoDB requests (\S+), API Gateway (\S+), SNS and SQS (\S+), Lambda (\S+), logs (\S+) \|/,
    [
      total(newest),
      storage(newest),
      parts(newest, ...requests),
      parts(newest, 'API Gateway'),
      parts(newest, 'SNS', 'SQS'),
      parts(newest, ...lambda),
      parts(newest, 'logs'),
    ],
  ],
  ['README.md', /the same with an `Idempotency-Key` \| (\S+) \|/, [total(keyed)]],
  [
    'README.md',
    /the same, each alone in its minute, .* \| (\S+) \| storage (\S+) \|/,
    [total(newestAlone), storage(newestAlone)],
  ],
  ['README.md', /without a list .*, in bursts \| (\S+) \| storage (\S+) \|/, [total(none), storage(none)]],
  ['README.md', /without a list, each alone .* \| (\S+) \| storage (\S+) \|/, [total(noneAlone), storage(noneAlone)]],
  ['README.md', /listed by recipient and tag, .* \| (\S+) \| storage (\S+) \|/, [total(tagged), storage(tagged)]],
  [
    'README.md',
    /a million campaign messages, .* \| (\S+) \| storage (\S+), SNS (\S+), DynamoDB requests (\S+), SQS (\S+), Lambda (\S+) \|/,
    [
      total('campaign messages'),
      storage('campaign messages'),
      parts('campaign messages', 'SNS'),
      parts('campaign messages', ...requests),
      parts('campaign messages', 'SQS'),
      parts('campaign messages', ...lambda),
    ],
  ],
  [
    'README.md',
    /a million webhook deliveries .* \| (\S+) \| storage (\S+), DynamoDB requests (\S+), SQS (\S+), Lambda (\S+) \|/,
    [
      total('webhook deliveries'),
      storage('webhook deliveries'),
      parts('webhook deliveries', ...requests),
      parts('webhook deliveries', 'SQS'),
      parts('webhook deliveries', ...lambda),
    ],
  ],
  [
    'README.md',
    /a million subscribers, .* \| (\S+) \| storage (\S+), DynamoDB requests (\S+):/,
    [total('subscribers'), storage('subscribers'), parts('subscribers', ...requests)],
  ],
  [
    'README.md',
    /a month in which nothing is sent \| (\S+) \| (\d+) alarms (\S+), the dashboard (\S+) .*, Lambda asking empty queues (\S+) .*, the topics' key (\S+), the secret (\S+), the sweep (\S+) \|/,
    [
      idle(),
      counted(/^(\d+) alarms/),
      idle('alarms'),
      idle('dashboard'),
      idle('Lambda'),
      idle('keys'),
      idle('secrets'),
      idle('the sweep'),
    ],
  ],
  [
    'docs/operate.md',
    /a month: \$(\S+) in all\. (\d+) alarms \$(\S+), the dashboard \$(\S+) .*, Lambda asking (\d+) queues for messages \$(\S+) .*, the topics' key \$(\S+), the secret \$(\S+), the sweep's 43,200 starts \$([\d.]+)\. /,
    [
      idle(),
      counted(/^(\d+) alarms/),
      idle('alarms'),
      idle('dashboard'),
      counted(/asking (\d+) empty queues/),
      idle('Lambda'),
      idle('keys'),
      idle('secrets'),
      idle('the sweep'),
    ],
  ],
  [
    'docs/decisions/0011-cost.md',
    /A million emails in bursts, default list: \$(\S+) in all, of which \$(\S+) until they are delivered and \$(\S+) for keeping them\. Without a list \$(\S+), of which \$(\S+) and \$([\d.]+)\. /,
    [total(newest), sending(newest), storage(newest), total(none), sending(none), storage(none)],
  ],
  ['docs/decisions/0011-cost.md', /\$([\d.]+) a million with the default list\./, [total(newestAlone)]],
  [
    'docs/decisions/0011-cost.md',
    /\| `none` \| ([\d.]+) \|[^|]*\|\n\| `newest` \(default\) \| ([\d.]+) \|[^|]*\|\n\| `recipient-and-tag` \| ([\d.]+),/,
    [writes('none'), writes('newest'), writes('recipient-and-tag')],
  ],
];

/** What is quoted otherwise than the report has it: the words, and the number that they should say. */
function stale([document, sentence, wanted]: (typeof quotes)[number]): string[] {
  const match = sentence.exec(read(document));
  if (!match) return [`${document}: no words like ${sentence.source}`];
  const [words = '', ...written] = match.map((group) => group.replace(/,$/, ''));
  return wanted.flatMap((figure, index) => {
    const number = written[index] ?? '';
    const asked = figure?.toFixed(number.split('.')[1]?.length ?? 0) ?? 'nothing: it was not measured';
    return number === asked ? [] : [`${document}: ${number} in “${words.slice(0, 70)}…”; the report has ${asked}`];
  });
}

it('quotes the report of the bench as it is', () => {
  expect(quotes.flatMap(stale)).toEqual([]);
});
