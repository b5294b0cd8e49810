import { queuesPart } from '../../../../infra/local/messaging/queuesPart.ts';
import { sweeperPart } from '../../../../infra/local/scheduler/sweeperPart.ts';
import type { DueEntry } from '../../../../shared/store/dueWork.ts';

const start = Date.UTC(2026, 10, 24, 10);
const minute = 60_000;
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

describe('the sweeper on the clock', () => {
  function sweeper(entries: DueEntry[]) {
    let [time, runs, lastRunAt] = [start, 1, start];
    const beat = async () => {
      runs += 1;
      lastRunAt = time;
    };
    const part = sweeperPart(
      { beat, progress: () => ({ isRunning: false, runs, lastRunAt }) },
      async () => entries,
      () => time,
    );
    const moveTo = (to: number) => {
      time = to;
    };
    return { part, moveTo, runs: () => runs };
  }

  it('runs at the whole minute after the time of an entry, and once a day', async () => {
    const { part } = sweeper([{ kind: 'SCHEDULED', at: new Date(start + 90_000), id: 'one' }]);
    expect((await part.pending(true)).due.map(({ at, kind }) => [iso(at), kind])).toEqual([
      ['2026-11-24T10:02:00.000Z', 'sweep: scheduled'],
      ['2026-11-25T00:07:00.000Z', 'daily sweep'],
    ]);
  });

  it('looks ever less often at an entry that stays due', async () => {
    const { part, moveTo, runs } = sweeper([{ kind: 'SCHEDULED', at: new Date(start - minute), id: 'one' }]);
    for (let hop = 0; hop < 200; hop += 1) {
      const [first] = (await part.pending(true)).due.toSorted((one, other) => one.at - other.at);
      if (!first || first.at > start + 24 * 60 * minute) break;
      moveTo(first.at);
      await part.look(false);
    }
    expect(runs()).toBeGreaterThan(24);
    expect(runs()).toBeLessThan(40);
  });
});

describe('the queues on the clock', () => {
  const part = (progress: { isRunning?: boolean; putOff?: string[] }, queue: object) =>
    queuesPart(
      {
        pending: async () => ({
          ...{ busy: [], due: [], done: {} },
          queues: [{ name: 'mailroom-job', ready: 0, delayed: [], taken: [], ...queue }],
        }),
        look: async () => {},
      },
      [
        {
          name: 'job',
          progress: () => ({ isRunning: false, handled: 7, ...progress, putOff: new Set(progress.putOff) }),
          stop: async () => {},
        },
      ],
    );

  it('are busy while a message is visible, in the hands of a worker or on its way there', async () => {
    const taken = [{ id: 'one', visibleAt: start }];
    for (const [progress, queue] of [
      [{}, { ready: 1 }],
      [{ isRunning: true }, {}],
      [{}, { taken }],
    ] as const)
      expect((await part(progress, queue).pending(true)).busy).toEqual(['messages of job']);
  });

  it('wait for messages that are delayed or were put off, and not for dead letters', async () => {
    const taken = [{ id: 'one', visibleAt: start + 2 }];
    expect(await part({ putOff: ['one'] }, { delayed: [start + 1], taken }).pending(true)).toEqual({
      busy: [],
      due: [
        { at: start + 1, kind: 'message of job' },
        { at: start + 2, kind: 'failed message of job' },
      ],
      done: { job: 7 },
    });
    const dead = { name: 'mailroom-job-dead', ready: 3 };
    expect((await part({}, dead).pending(true)).busy).toEqual([]);
  });
});
