import { keptText } from '../costs/storage.ts';
import type { Row } from '../report.ts';
import type { BesideFigures } from './beside.ts';
import type { FeedbackFigures, FeedbackOfList } from './feedback.ts';
import { type FrozenList, unitsOf } from './freeze.ts';
import type { ReportFigures } from './report.ts';
import type { PacedSending, SendingFigures } from './sending.ts';
import type { WholeFigures } from './whole.ts';

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 });
const megabyte = 1024 * 1024;

/** The lists of the budgets; a quick run takes shorter ones, and is held to their share of it. */
const budgetPeople = 200_000;
const [pageBytes, pageSeconds, shards] = [megabyte, 0.05, 16];

export function freezeRows(freeze: FrozenList): Row[] {
  const { people, everybody, engine, segment, segmentEngine } = freeze;
  const share = people / budgetPeople;
  const ratio = everybody.seconds / engine.seconds;
  const growth = everybody.memoryBytes / megabyte;
  return [
    {
      what: `freeze of ${number(people)} subscribers in one call, our processor time`,
      measured: `${everybody.cpuSeconds.toFixed(2)} s, ${everybody.calls} AWS calls, +${growth.toFixed(0)} MB, ${number(everybody.queued)} queued`,
      budget: `under ${(2.5 * share).toFixed(2)} s, 150 MB, exact`,
      ok: everybody.cpuSeconds < 2.5 * share && growth < 150 && everybody.queued === people,
    },
    {
      what: 'its time against the engine’s own for the same reads',
      measured: `${everybody.seconds.toFixed(2)} s against ${engine.seconds.toFixed(2)} s (${ratio.toFixed(2)} times; the engine worked ${everybody.engineCpuSeconds.toFixed(2)} against ${engine.engineCpuSeconds.toFixed(2)} s)`,
      // What a send does but once takes longer than to read a short list.
      ...(share === 1 && { budget: 'at most 1.5 times', ok: ratio <= 1.5 }),
    },
    {
      what: `the same with a segment, ${number(segment.queued)} of them`,
      measured: `${segment.cpuSeconds.toFixed(2)} s of our processor; ${segment.seconds.toFixed(2)} s, the engine alone ${segmentEngine.seconds.toFixed(2)} s`,
      budget: `under ${(5 * share).toFixed(2)} s, exact`,
      ok: segment.cpuSeconds < 5 * share && segment.queued === people / 10,
    },
    ...millionRows(freeze),
  ];
}

/** Reading and computing overlap, and are added all the same. */
function millionRows({ people, everybody }: FrozenList): Row[] {
  // An eventually consistent read takes half a unit for 4 KB.
  const bytesEach = (everybody.readUnits * 8192) / people;
  const of = (count: number, cores: number) => {
    const cpu = (everybody.cpuSeconds / people) * (count / cores);
    const reading = Math.ceil((count * bytesEach) / pageBytes / shards) * pageSeconds;
    return { cpu, reading, all: cpu + reading };
  };
  const [million, ten, tenApart] = [of(1e6, 1), of(1e7, 1), of(1e7, shards)];
  return [
    {
      what: 'freeze of a million on AWS, computed: one core, pages of 1 MB in 50 ms, 16 shards side by side',
      measured: `${million.all.toFixed(1)} s (${million.cpu.toFixed(1)} computing, ${million.reading.toFixed(1)} reading)`,
      budget: 'under 20 s',
      ok: million.all < 20,
    },
    {
      what: 'ten million, computed',
      measured: `${ten.all.toFixed(0)} s in one function, which has 29; ${tenApart.all.toFixed(0)} s in sixteen, one a shard`,
    },
  ];
}

const provesOnce = ({ repeated, isTallyExact }: SendingFigures) =>
  repeated === 0 && isTallyExact ? '' : `; ${repeated} REPEATED, tally ${isTallyExact ? 'exact' : 'WRONG'}`;

const processorOf = ({ processor, accepted }: SendingFigures): string => {
  const own = processor?.['handlers, workers, gateway'];
  return own === undefined ? '' : `, ${((own * 1000) / (accepted / 50)).toFixed(0)} ms of our processor for 50`;
};

export function speedRow(sending: SendingFigures): Row {
  return {
    what: 'sending, the provider takes 50 ms a call and all that comes',
    measured: `${number(sending.perSecond)} messages a second${processorOf(sending)}${provesOnce(sending)}`,
    budget: '2,000 and more',
    ok: sending.perSecond >= 2000 && provesOnce(sending) === '',
  };
}

/** The words of a key without its ids and numbers. */
function kindOf(key: string): string {
  const words = key.split('#').filter((word) => /^[A-Z]+$/.test(word) && word !== 'WS');
  return [...new Set(words)].join(' ').toLowerCase();
}

/** One item takes 1,000 writes a second on AWS. */
export function hottestRow({ calls, seconds, perSecond: rate }: SendingFigures): Row {
  const counts = new Map<string, number>();
  for (const { item } of calls) if (item) counts.set(item, (counts.get(item) ?? 0) + 1);
  const hottest = [...counts].sort(([, a], [, b]) => b - a).slice(0, 3);
  const most = (hottest[0]?.[1] ?? 0) / seconds;
  return {
    what: 'writes a second of the items that are written most, meanwhile',
    measured: hottest.map(([item, count]) => `${kindOf(item)} ${(count / seconds).toFixed(1)}`).join(', '),
    budget: `under 1,000 also at ten times ${number(rate)} messages`,
    ok: most * 10 < 1000,
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
      `${calls.toFixed(1)} AWS calls for 50${provesOnce(sending)}`,
    budget: '95 % and more, under 1 %',
    ok: reached >= 0.95 && throttled < 0.01 && provesOnce(sending) === '',
  };
}

export function besideRows({ alone, beside, refused, campaignPerSecond }: BesideFigures): Row[] {
  const ratio = beside.milliseconds.p99 / alone.milliseconds.p99;
  const failures = alone.failures + beside.failures;
  return [
    {
      what: `${beside.calls} single emails, 10 a second, beside a campaign at ${campaignPerSecond.toFixed(0)} a second`,
      measured: `${refused} refused for the rate, ${failures} failed`,
      budget: 'none',
      ok: refused === 0 && failures === 0,
    },
    {
      what: 'their p99 against that without a campaign',
      measured: `${beside.milliseconds.p99.toFixed(0)} against ${alone.milliseconds.p99.toFixed(0)} ms (${ratio.toFixed(2)} times; p50 ${beside.milliseconds.p50.toFixed(0)} against ${alone.milliseconds.p50.toFixed(0)}) of ${beside.calls} and ${alone.calls}`,
      budget: 'at most twice',
      ok: ratio <= 2,
    },
  ];
}

export function wholeRows({
  people,
  perSecond: rate,
  freeze,
  sending,
  feedback,
  report,
  stored,
  isExact,
}: WholeFigures): Row[] {
  const stages = { freeze, sending, feedback, report };
  const total = (unit: 'readUnits' | 'writeUnits') =>
    Object.values(stages).reduce((sum, stage) => sum + stage[unit], 0);
  const parts = (unit: 'readUnits' | 'writeUnits') =>
    Object.entries(stages)
      .map(([name, stage]) => `${name} ${stage[unit].toFixed(3)}`)
      .join(', ');
  const [writes, reads] = [total('writeUnits'), total('readUnits')];
  const calls = (freeze.calls + sending.calls + report.calls) * 50;
  return [
    {
      what: `write units a recipient, freeze to report, ${number(people)} people at ${rate} a second`,
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

const perSecond = ({ events, seconds }: FeedbackFigures) => events / seconds;

/** Where neither of them keeps a processor busy, it is the machine's other work that made it slow. */
function costOf({ events, cpuMilliseconds, engineCpuMilliseconds, calls }: FeedbackFigures): string {
  const [ours, engine] = [cpuMilliseconds, engineCpuMilliseconds].map((time) => (time / events).toFixed(2));
  const { writeUnits } = unitsOf(calls);
  return `${ours} ms of our processor, ${engine} of the engine’s, ${(writeUnits / events).toFixed(2)} write units each`;
}

export function feedbackRows(lists: readonly FeedbackOfList[]): Row[] {
  const rowOf = (what: string, of: (list: FeedbackOfList) => FeedbackFigures): Row => {
    const speeds = lists.map((list) => perSecond(of(list)));
    const each = (list: FeedbackOfList) => {
      const figures = of(list);
      return `${number(perSecond(figures))} a second at ${number(list.people)} (${costOf(figures)})`;
    };
    return {
      what,
      measured: lists.map(each).join(', '),
      budget: '500 a second and more, whatever was sent',
      ok: Math.min(...speeds) >= 500,
    };
  };
  return [
    rowOf('feedback on what was just sent (Send, Delivery, Bounce), by people sent to', ({ deliveries }) => deliveries),
    rowOf('feedback from readers anywhere in the list (Open, Click), who come at once', ({ rush }) => rush),
    {
      what: 'the same as readers come, hour by hour: a dozen in a batch',
      measured: lists.map(({ people, engagement }) => `${costOf(engagement)} at ${number(people)}`).join('; '),
    },
  ];
}

export function reportRow({ people, looks, milliseconds, calls, readUnits }: ReportFigures): Row {
  return {
    what: `report of a campaign to ${number(people)}, every counter in use`,
    measured: `p50 ${milliseconds.p50.toFixed(0)}, at most ${milliseconds.max.toFixed(0)} ms of ${looks}; ${calls} calls, ${readUnits} read units`,
    budget: 'under 1 s, 20 read units',
    ok: milliseconds.max < 1000 && readUnits <= 20,
  };
}
