import report from '../report.json' with { type: 'json' };
import type { Consumption } from './consumption.ts';
import { idleMonth } from './idleMonth.ts';

const [{ what: _, ...sweep }] = report.sections.idle.consumption as [Consumption];
const dollars = ({ charges }: ReturnType<typeof idleMonth>) => charges.reduce((sum, charge) => sum + charge.dollars, 0);
const free = ({ charges }: ReturnType<typeof idleMonth>) => charges.reduce((sum, charge) => sum + charge.free, 0);
const usual = idleMonth(sweep);

describe('a month in which nothing is sent', () => {
  it('is in the committed report as the stacks are now: `npm run bench -- --write costs` computes it anew', () => {
    expect(report.sections.costs.figures.idle).toEqual(usual);
  });

  it('costs below $4.20 by list price, and below $2.90 with the free allowances', () => {
    expect(dollars(usual)).toBeLessThan(4.2);
    expect(dollars(usual) - free(usual)).toBeLessThan(2.9);
  });

  it('has at most ten alarms on metrics that are always there, with every setting', () => {
    const most = idleMonth(sweep, { dashboard: true, topicKey: true, console: { userPool: true } });
    expect([usual.alarms, most.alarms].filter((count) => count > 10)).toEqual([]);
  });

  it('has a dashboard and a key of its own only by settings', () => {
    const priced = (settings: object) =>
      Object.fromEntries(idleMonth(sweep, settings).charges.map((charge) => [charge.what, charge.dollars]));
    expect(priced({})).toMatchObject({ dashboard: 0, keys: 0 });
    expect(priced({ dashboard: true, topicKey: true })).toMatchObject({ dashboard: 3, keys: 1 });
  });

  it('costs at most $0.30 more with a queue more', () => {
    const [asking] = usual.charges.filter(({ what }) => what.includes('queues'));
    const count = Number(/\d+/.exec(asking?.what ?? '')?.[0]);
    expect((asking?.dollars ?? Number.NaN) / count).toBeLessThan(0.3);
  });
});
