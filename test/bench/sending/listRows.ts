import { keptText } from '../costs/storage.ts';
import type { Row } from '../report.ts';
import type { UntilAnswer } from './counts.ts';
import { type Counted, defaultList, type EmailList, type ListCounts } from './lists.ts';

/** Calls, calls in turn, write and read units of an email (docs/decisions/0011-cost.md). */
const budgets = { calls: 7, inTurn: 4, writeUnits: 5.2, readUnits: 4 };
/** What a list may add to the one before it. */
const mostForList = 1.2;

export const nameOfList = (list: EmailList): string =>
  list === defaultList ? `list "${list}", the default` : `list "${list}"`;

/** The default first; every budget is held against each of the settings. */
export const listRows = (counts: readonly ListCounts[]): Row[] => [
  ...counts.flatMap((count) => [...plainRows(count), ...otherRows(count)]),
  ...addedRows(counts),
];

const most = (what: string, value: number, budget: number, measured = value.toFixed(2)): Row => ({
  what,
  measured,
  budget: String(budget),
  ok: value <= budget,
});

function plainRows({ list, plain: { untilAnswer, delivered, inAll } }: ListCounts): Row[] {
  const name = nameOfList(list);
  const { calls, inTurn } = untilAnswer;
  return [
    most(`AWS calls of a send until its answer, SES included, ${name}`, calls, budgets.calls, String(calls)),
    most(
      `of which one after another, ${name}`,
      inTurn.length,
      budgets.inTurn,
      `${inTurn.length} (${inTurn.join(', ')})`,
    ),
    most(`AWS calls per delivered email in all, its settlement included, ${name}`, inAll.calls, budgets.calls),
    most(`write units per delivered email in all, ${name}`, inAll.writeUnits, budgets.writeUnits),
    most(
      `read units per delivered email in all, ${name}`,
      inAll.readUnits,
      budgets.readUnits,
      `${inAll.readUnits.toFixed(2)} (${(inAll.readUnits - delivered.readUnits).toFixed(2)} of them when its minute is settled)`,
    ),
    {
      what: `calls per delivered email without its settlement, and units of each, ${name}`,
      measured: Object.entries(delivered.byCommand)
        .map(([kind, { calls: made, units }]) => `${kind} ${made.toFixed(2)} × ${(units / made).toFixed(2)}`)
        .join(', '),
    },
  ];
}

function otherRows({ list, first, plain, keyed, lone }: ListCounts): Row[] {
  const name = nameOfList(list);
  const { delivered, settlement } = lone;
  return [
    { what: `first send of a process, until its answer, ${name}`, measured: untilText(first) },
    { what: `a send with an Idempotency-Key, ${name}`, measured: keyedText(keyed) },
    {
      what: `an email alone in its minute, ${name}`,
      measured:
        `${lone.inAll.writeUnits.toFixed(2)} write, ${lone.inAll.readUnits.toFixed(2)} read units, ${lone.inAll.calls} AWS calls ` +
        `(of which its settlement ${settlement.writeUnits.toFixed(2)}, ${settlement.readUnits.toFixed(2)} and ${settlement.calls}; delivered without it ${delivered.writeUnits.toFixed(2)}, ${delivered.readUnits.toFixed(2)} and ${delivered.calls})`,
    },
    { what: `kept of an email, ${name}`, measured: keptText(plain.stored) },
  ];
}

const untilText = ({ calls, inTurn }: UntilAnswer): string =>
  `${calls} AWS calls, ${inTurn.length} in turn (${inTurn.join(', ')})`;

const keyedText = ({ untilAnswer, inAll }: Counted): string =>
  `${untilText(untilAnswer)}; delivered and settled ${inAll.calls.toFixed(2)} calls, ${inAll.writeUnits.toFixed(2)} write, ${inAll.readUnits.toFixed(2)} read units`;

/** In the order of the settings, each of which keeps all that the one before it keeps. */
function addedRows(counts: readonly ListCounts[]): Row[] {
  const of = (list: EmailList) => counts.find((count) => count.list === list)?.plain.delivered.writeUnits ?? 0;
  const row = (list: EmailList, before: EmailList) =>
    most(`write units that the list "${list}" adds to "${before}"`, of(list) - of(before), mostForList);
  return [row('newest', 'none'), row('recipient-and-tag', 'newest')];
}
