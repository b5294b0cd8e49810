import { keptText } from '../costs/storage.ts';
import type { Row } from '../report.ts';
import type { FeedbackFigures } from './feedback.ts';
import { type FreezeFigures, unitsOf } from './freeze.ts';
import type { PacedSending, SendingFigures } from './sending.ts';
import type { WholeFigures } from './whole.ts';

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 });
const megabyte = 1024 * 1024;

/** The list of the budget; a quick run takes a shorter one, and is held to its share of the budget. */
const budgetPeople = 200_000;

export function freezeRow({ queued, cpuSeconds, memoryBytes, calls }: FreezeFigures, people: number): Row {
  const budgetSeconds = (2.5 * people) / budgetPeople;
  const growth = memoryBytes / megabyte;
  return {
    what: `freeze of ${number(people)} subscribers in one call, our processor time`,
    measured: `${cpuSeconds.toFixed(2)} s, ${calls} AWS calls, +${growth.toFixed(0)} MB, ${number(queued)} queued`,
    budget: `under ${budgetSeconds.toFixed(2)} s, 150 MB, exact`,
    ok: cpuSeconds < budgetSeconds && growth < 150 && queued === people,
  };
}

const duplicatesOf = ({ repeated, isTallyExact }: SendingFigures) =>
  repeated === 0 && isTallyExact ? '' : `; ${repeated} REPEATED, tally ${isTallyExact ? 'exact' : 'WRONG'}`;

const processorOf = ({ processor, accepted }: SendingFigures): string => {
  const own = processor?.['handlers, workers, gateway'];
  return own === undefined ? '' : `, ${((own * 1000) / (accepted / 50)).toFixed(0)} ms of our processor for 50`;
};

export function speedRow(sending: SendingFigures): Row {
  return {
    what: 'sending, the provider takes 50 ms a call and never throttles',
    measured: `${number(sending.perSecond)} messages a second${processorOf(sending)}${duplicatesOf(sending)}`,
    budget: '2,000 and more',
    ok: sending.perSecond >= 2000 && duplicatesOf(sending) === '',
  };
}

export function pacedRow({ perSecond, sending }: PacedSending): Row {
  const ownRate = perSecond - Math.min(Math.max(1, perSecond / 10), perSecond / 2);
  const [reached, throttled] = [sending.perSecond / ownRate, sending.throttled / Math.max(1, sending.entries)];
  const calls = sending.calls.length / (sending.accepted / 50);
  return {
    what: `sending at ${perSecond} a second, of which campaigns have ${ownRate}`,
    measured:
      `${(reached * 100).toFixed(1)} % of the share, ${(throttled * 100).toFixed(2)} % of ${number(sending.entries)} entries throttled, ` +
      `${calls.toFixed(1)} AWS calls for 50${duplicatesOf(sending)}`,
    budget: '95 % and more, under 1 %',
    ok: reached >= 0.95 && throttled < 0.01 && duplicatesOf(sending) === '',
  };
}

export function wholeRows({ people, perSecond, stages, stored, isExact }: WholeFigures): Row[] {
  const total = (unit: 'readUnits' | 'writeUnits') =>
    Object.values(stages).reduce((sum, stage) => sum + stage[unit], 0);
  const parts = (unit: 'readUnits' | 'writeUnits') =>
    Object.entries(stages)
      .map(([name, stage]) => `${name} ${stage[unit].toFixed(3)}`)
      .join(', ');
  const [writes, reads] = [total('writeUnits'), total('readUnits')];
  const { freeze, sending, report, feedback } = stages;
  const calls = (freeze.calls + sending.calls + report.calls) * 50;
  return [
    {
      what: `write units a recipient, freeze to report, ${number(people)} people at ${perSecond} a second`,
      measured: `${writes.toFixed(2)} (${parts('writeUnits')})${isExact ? '' : '; NOT EXACT'}`,
      budget: 'at most 1',
      ok: writes <= 1 && isExact,
    },
    {
      what: 'read units a recipient',
      measured: `${reads.toFixed(2)} (${parts('readUnits')})`,
      budget: 'at most 2',
      ok: reads <= 2,
    },
    {
      what: 'AWS calls for 50 recipients, feedback apart',
      measured: `${calls.toFixed(1)}, and ${(feedback.calls * 50).toFixed(1)} of feedback`,
      budget: 'at most 8',
      ok: calls <= 8,
    },
    { what: 'kept of a recipient', measured: keptText(stored) },
  ];
}

export function feedbackRow(what: string, figures: FeedbackFigures): Row {
  const { events, seconds, cpuMilliseconds, engineCpuMilliseconds, calls } = figures;
  const [ours, engine] = [cpuMilliseconds, engineCpuMilliseconds].map((time) => (time / events).toFixed(2));
  return {
    what,
    measured: `${number(events / seconds)} a second: ${ours} ms of our processor, ${engine} of the engine’s, ${(unitsOf(calls).writeUnits / events).toFixed(2)} write units each`,
  };
}
