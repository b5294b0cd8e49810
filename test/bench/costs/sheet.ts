import prices from '../prices.json' with { type: 'json' };
import type { Row, Section } from '../report.ts';
import { type Consumption, dollarsOf } from './consumption.ts';
import { idleMonth } from './idleMonth.ts';
import { idleSweepName } from './idleSweep.ts';

/** What the sheet is to tell of, and the most that a million of it may cost beside SES's fee. */
const wanted: readonly { readonly beginning: string; readonly budget?: number }[] = [
  { beginning: 'single emails', budget: 9.5 },
  { beginning: 'campaign messages', budget: 3 },
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
  logBytes: 'logs',
  storage: 'storage',
};

/** A million of something in dollars: all but SES's fee, and by kind of charge. */
interface Priced {
  readonly total: number;
  readonly storage: number;
  readonly fee: number;
  readonly parts: Readonly<Record<string, number>>;
}

/** Dollars of a million of each, computed from what the sections counted and from `prices.json`. */
export async function costSheet(sections: readonly Section[]): Promise<Section> {
  const consumptions = sections.flatMap(({ consumption = [] }) => consumption);
  const priced = Object.fromEntries(consumptions.map((consumption) => [consumption.what, pricedOf(consumption)]));
  const sweep = consumptions.find(({ what }) => what === idleSweepName);
  const idle = sweep && (await idleMonth(withoutName(sweep)));
  return {
    title: `Cost sheet, ${prices.region}, prices of ${prices.date}`,
    head:
      'Of a million of each, with what is kept of them over the default retention (what never expires: for a year). In ' +
      'none of the rows: cold starts, what leaves AWS ($0.09 per GB), free allowances, and what arm64 and TLS make of ' +
      'processor times that were measured on x64 by plain HTTP. Nothing of these rows lies in S3. ' +
      prices.assumed.queuedByTopic,
    rows: [
      ...wanted.flatMap(({ beginning, budget }) => {
        const found = Object.entries(priced).filter(([what]) => what.startsWith(beginning));
        if (found.length === 0) return [{ what: `a million ${beginning}`, measured: 'not measured in this run' }];
        return found.map(([what, dollars]) => costRow(what, dollars, budget));
      }),
      { what: 'a month in which nothing is sent', measured: idle ? idleText(idle) : 'not measured in this run' },
    ],
    figures: { consumptions, priced, idle, idleTotal: idle && totalOf(idle), prices },
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
      `$${total.toFixed(2)}, of which ${(total - storage).toFixed(2)} for doing it and ${storage.toFixed(2)} for keeping it ` +
      `(${partsOf(parts)})${fee > 0 ? `, and $${fee.toFixed(0)} of SES` : ''}`,
    ...(budget !== undefined && { budget: `$${budget.toFixed(2)} in all`, ok: total <= budget }),
  };
}

const idleText = (idle: Readonly<Record<string, number>>): string => `$${totalOf(idle).toFixed(2)} (${partsOf(idle)})`;

const totalOf = (dollars: Readonly<Record<string, number>>): number =>
  Object.values(dollars).reduce((sum, amount) => sum + amount, 0);

const partsOf = (dollars: Readonly<Record<string, number>>): string =>
  Object.entries(dollars)
    .filter(([, amount]) => amount >= 0.005)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, amount]) => `${kind} ${amount.toFixed(2)}`)
    .join(', ');
