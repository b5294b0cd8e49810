import prices from '../prices.json' with { type: 'json' };
import type { Row, Section } from '../report.ts';
import { type Consumption, dollarsOf } from './consumption.ts';
import { idleMonth } from './idleMonth.ts';

/** What the sheet is to tell of, and the most that a million of it may cost beside SES's fee. */
const wanted: readonly { readonly beginning: string; readonly budget?: number }[] = [
  { beginning: 'single emails', budget: 9.5 },
  { beginning: 'listed emails' },
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
};

/** Dollars of a million of each, computed from what the sections counted and from `prices.json`. */
export async function costSheet(sections: readonly Section[]): Promise<Section> {
  const consumptions = sections.flatMap(({ consumption = [] }) => consumption);
  const idle = await idleMonth();
  const sum = Object.values(idle).reduce((total, dollars) => total + dollars, 0);
  return {
    title: `Cost sheet, ${prices.region}, prices of ${prices.date}`,
    rows: [
      ...wanted.flatMap(({ beginning, budget }) => {
        const found = consumptions.filter(({ what }) => what.startsWith(beginning));
        if (found.length === 0) return [{ what: `a million ${beginning}`, measured: 'not measured in this run' }];
        return found.map((consumption) => costRow(consumption, budget));
      }),
      { what: 'a month in which nothing is sent', measured: `$${sum.toFixed(2)} (${partsOf(idle)})` },
    ],
    figures: { consumptions, idle, prices },
  };
}

function costRow(consumption: Consumption, budget: number | undefined): Row {
  const { what, ...counted } = consumption;
  const { messages: fee = 0, ...own } = dollarsOf(counted);
  const perMillion = Object.fromEntries(
    Object.entries(own).map(([kind, dollars]) => [texts[kind] ?? kind, dollars * 1e6]),
  );
  const total = Object.values(perMillion).reduce((sum, dollars) => sum + dollars, 0);
  return {
    what: `a million ${what}`,
    measured: `$${total.toFixed(2)} (${partsOf(perMillion)})${fee > 0 ? `, and $${(fee * 1e6).toFixed(0)} of SES` : ''}`,
    ...(budget !== undefined && { budget: `$${budget.toFixed(2)}`, ok: total <= budget }),
  };
}

const partsOf = (dollars: Readonly<Record<string, number>>): string =>
  Object.entries(dollars)
    .filter(([, amount]) => amount >= 0.005)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, amount]) => `${kind} ${amount.toFixed(2)}`)
    .join(', ');
