import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IdleMonth } from '../bench/costs/idleMonth.ts';

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
    readonly idle?: IdleMonth;
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
const parts = (what: string, ...kinds: string[]): Figure => sum(kinds.map((kind) => priced(what)?.parts[kind]));
const idle = (
  beginning = '',
  of: (charge: IdleMonth['charges'][number]) => number = ({ dollars }) => dollars,
): Figure => {
  const found = (figures.costs?.idle?.charges ?? []).filter(({ what }) => what.startsWith(beginning));
  return found.length === 0 ? undefined : sum(found.map(of));
};
/** With AWS's free allowances. */
const idleBeyondFree = idle('', ({ dollars, free }) => dollars - free);
const alarms = figures.costs?.idle?.alarms;
const writes = (list: string): Figure => figures.emails?.lists?.[list]?.plain.delivered.writeUnits;

const newest = 'single emails, list "newest", in bursts';
const byRecipient = 'single emails, list "recipient", the default, in bursts';
const keyed = `${byRecipient}, with an Idempotency-Key`;
const byRecipientAlone = 'single emails, list "recipient", the default, each alone in its minute';
const none = 'single emails, list "none", in bursts';
/** The price of an HTTP API for the calls of a million sends (https://aws.amazon.com/api-gateway/pricing/). */
const httpApi = 1;
const requests = ['reads', 'writes'];
const lambda = ['Lambda time', 'Lambda calls'];

/**
 * Where a number of the report stands in a text: the document, a sentence whose groups are numbers, and what the report
 * has for each of them. A number is compared as it is written, with as many digits.
 */
const quotes: readonly (readonly [document: string, sentence: RegExp, figures: readonly Figure[]])[] = [
  [
    'README.md',
    /a million single emails cost about \$(\S+) in bursts \(\$18 one by one\), and a million campaign messages \$(\S+) /,
    [total(byRecipient), total('campaign messages')],
  ],
  [
    'docs/costs.md',
    /default settings\*\*, sent and delivered in bursts, and kept for a year \| \*\*(\S+)\*\* \|/,
    [total(byRecipient)],
  ],
  ['docs/costs.md', /\| storage \| \S+ \| (\S+) \|/, [storage(byRecipient)]],
  ['docs/costs.md', /\| DynamoDB writes \| \S+ \| (\S+) \|/, [parts(byRecipient, 'writes')]],
  ['docs/costs.md', /\| DynamoDB reads \| \S+ \| (\S+) \|/, [parts(byRecipient, 'reads')]],
  ['docs/costs.md', /\| API Gateway \| \S+ \| (\S+) \|/, [parts(byRecipient, 'API Gateway')]],
  ['docs/costs.md', /\| SNS \| \S+ \| (\S+) \|/, [parts(byRecipient, 'SNS')]],
  ['docs/costs.md', /\| SQS \| \S+ \| (\S+) \|/, [parts(byRecipient, 'SQS')]],
  ['docs/costs.md', /\| Lambda, time and calls \| \S+ \| (\S+) \|/, [parts(byRecipient, ...lambda)]],
  ['docs/costs.md', /\| logs \| \S+ \| (\S+) \|/, [parts(byRecipient, 'logs')]],
  ['docs/costs.md', /\| S3 \|[^|]*\| (\S+) \|/, [parts(byRecipient, 'S3 writes', 'S3 reads')]],
  ['docs/costs.md', /\| \*\*together\*\* \| \*\*\S+\*\* \| \*\*(\S+)\*\* \|/, [total(byRecipient)]],
  [
    'docs/costs.md',
    /\| with an HTTP API in place of the REST API \| \S+ \| (\S+) \|/,
    [sum([total(byRecipient), httpApi, -(parts(byRecipient, 'API Gateway') ?? Number.NaN)])],
  ],
  ['docs/costs.md', /the same in bursts with an `Idempotency-Key` \| (\S+) \|/, [total(keyed)]],
  [
    'docs/costs.md',
    /the same, each alone in its minute, .* \| (\S+) \| storage (\S+) \|/,
    [total(byRecipientAlone), storage(byRecipientAlone)],
  ],
  ['docs/costs.md', /without a list .*, in bursts \| (\S+) \| storage (\S+):/, [total(none), storage(none)]],
  ['docs/costs.md', /listed by time alone .* \| (\S+) \| storage (\S+) \|/, [total(newest), storage(newest)]],
  [
    'docs/costs.md',
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
    'docs/costs.md',
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
    'docs/costs.md',
    /a million subscribers, .* \| (\S+) \| storage (\S+), DynamoDB requests (\S+):/,
    [total('subscribers'), storage('subscribers'), parts('subscribers', ...requests)],
  ],
  [
    'docs/costs.md',
    /a month in which nothing is sent \| (\S+), with AWS's free allowances (\S+) \| /,
    [idle(), idleBeyondFree],
  ],
  ['docs/costs.md', /\| Lambda asks 9 queues .* \| (\S+) \|/, [idle('Lambda')]],
  ['docs/costs.md', /\| two secrets .* \| (\S+) \|/, [idle('secrets')]],
  ['docs/costs.md', /\| (\d+) alarms .* \| (\S+) \|/, [alarms, idle('alarms')]],
  ['docs/costs.md', /\| the sweep .* \| (\S+) \|/, [idle('the sweep')]],
  [
    'docs/design/cost.md',
    /kept in bursts with a list, \$(\S+) in all with the default one, of which \$(\S+) for keeping them .* Missed with an `Idempotency-Key` \(\$([\d.]+)\), and without a list \(\$([\d.]+)\)/,
    [total(byRecipient), storage(byRecipient), total(keyed), total(none)],
  ],
  ['docs/design/cost.md', /\$([\d.]+) a million with the default list\./, [total(byRecipientAlone)]],
  [
    'docs/design/cost.md',
    /\| `none` \| ([\d.]+) \|[^|]*\|\n\| `newest` \| ([\d.]+) \|[^|]*\|\n\| `recipient` \(default\) \| ([\d.]+),/,
    [writes('none'), writes('newest'), writes('recipient')],
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

it('has a million single emails below $12.50 by default, the list by recipient and a year’s keeping included', () => {
  expect(total(byRecipient)).toBeLessThan(12.5);
  expect(storage(byRecipient)).toBeLessThan(1);
});
