import prices from '../prices.json' with { type: 'json' };
import type { Row, Section } from '../report.ts';
import { type Consumption, dollarsOf } from './consumption.ts';
import { type IdleMonth, idleMonth } from './idleMonth.ts';

/** The name of the sweeper's consumption, which the idle month is computed from. */
export const idleSweepName = 'sweeps that find nothing';

/** The rows of the sheet, by the beginnings of their names, and the most that a million may cost beside SES's fee. */
const priceList: readonly { readonly beginning: string; readonly budget?: number }[] = [
  { beginning: 'single emails', budget: 12.5 },
  { beginning: 'campaign messages', budget: 3 },
  { beginning: 'runs of automations' },
  { beginning: 'webhook deliveries' },
  { beginning: 'subscribers' },
];

const texts: Readonly<Record<string, string>> = {
  gatewayCalls: 'API Gateway',
  functionCalls: 'Lambda calls',
  gigabyteSeconds: 'Lambda time',
  readUnits: 'reads',
  writeUnits: 'writes',
  queueCalls: 'SQS',
  topicMessages: 'SNS',
  scheduledCalls: 'Scheduler',
  filePuts: 'S3 writes',
  fileGets: 'S3 reads',
  logBytes: 'logs',
  storage: 'storage',
};

/** Dollars of a million of something: the total without SES's fee, and by kind of charge. */
interface Priced {
  readonly total: number;
  readonly storage: number;
  readonly fee: number;
  readonly parts: Readonly<Record<string, number>>;
}

/** Computed from what the sections counted and from `prices.json`. */
export function costSheet(sections: readonly Section[]): Section {
  const consumptions = sections.flatMap(({ consumption = [] }) => consumption);
  const priced = Object.fromEntries(consumptions.map((consumption) => [consumption.what, pricedOf(consumption)]));
  const sweep = consumptions.find(({ what }) => what === idleSweepName);
  const idle = sweep && idleMonth(withoutName(sweep));
  return {
    title: `Cost sheet, ${prices.region}, prices of ${prices.date}`,
    head:
      'Dollars of a million of each, with their storage over the default retention (a year for what never expires). Not ' +
      'included: cold starts, traffic out of AWS ($0.09 per GB), free allowances, and the effect of arm64 and TLS on ' +
      'processor times, which were measured on x64 by plain HTTP. A workspace with few emails a day has smaller files: ' +
      'each costs some $0.00002. ' +
      prices.assumed.queuedByTopic,
    rows: [
      ...priceList.flatMap(({ beginning, budget }) => {
        const found = Object.entries(priced).filter(([what]) => what.startsWith(beginning));
        if (found.length === 0) return [{ what: `a million ${beginning}`, measured: 'not measured in this run' }];
        return found.map(([what, dollars]) => costRow(what, dollars, budget));
      }),
      { what: 'a month in which nothing is sent', measured: idle ? idleText(idle) : 'not measured in this run' },
    ],
    figures: { consumptions, priced, idle, prices },
  };
}

const withoutName = ({ what: _, ...counted }: Consumption) => counted;

function pricedOf(consumption: Consumption): Priced {
  const { messages: fee = 0, ...own } = dollarsOf(withoutName(consumption));
  const parts = Object.fromEntries(Object.entries(own).map(([kind, dollars]) => [texts[kind] ?? kind, dollars * 1e6]));
  return { total: totalOf(parts), storage: parts.storage ?? 0, fee: fee * 1e6, parts };
}

function costRow(what: string, { total, storage, fee, parts }: Priced, budget: number | undefined): Row {
  return {
    what: `a million ${what}`,
    measured:
      `$${total.toFixed(2)}, of which ${(total - storage).toFixed(2)} for requests and ${storage.toFixed(2)} for storage ` +
      `(${partsOf(parts)})${fee > 0 ? `, and $${fee.toFixed(0)} of SES` : ''}`,
    ...(budget !== undefined && { budget: `$${budget.toFixed(2)} in all`, ok: total <= budget }),
  };
}

function idleText({ alarms, charges }: IdleMonth): string {
  const list = Object.fromEntries(charges.map(({ what, dollars }) => [what, dollars]));
  const free = charges.reduce((sum, charge) => sum + charge.free, 0);
  return (
    `$${totalOf(list).toFixed(2)} (${partsOf(list)}), $${(totalOf(list) - free).toFixed(2)} with AWS's free allowances; ` +
    `${alarms} alarms, besides those on metrics that exist only when something is wrong`
  );
}

const totalOf = (dollars: Readonly<Record<string, number>>): number =>
  Object.values(dollars).reduce((sum, amount) => sum + amount, 0);

const partsOf = (dollars: Readonly<Record<string, number>>): string =>
  Object.entries(dollars)
    .filter(([, amount]) => amount >= 0.005)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, amount]) => `${kind} ${amount.toFixed(2)}`)
    .join(', ');
