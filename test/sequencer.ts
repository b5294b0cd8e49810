import { createRequire } from 'node:module';

// Its types describe what `require` gives, not what `import` does.
const { default: TestSequencer } = createRequire(import.meta.url)(
  '@jest/test-sequencer',
) as typeof import('@jest/test-sequencer');

type Tests = Parameters<InstanceType<typeof TestSequencer>['sort']>[0];

/** Long suites, the longest first: those that wait for services and their clocks, then those that start many processes. */
const longSuites = [
  '/test/acceptance/automations/storm.',
  '/test/contract/service.',
  '/test/docs/pages.',
  '/test/acceptance/sending/rate.',
  '/test/shared/services/runs/',
  '/test/acceptance/sending/restore.',
  '/test/acceptance/sending/hold',
  '/test/acceptance/campaigns/',
  '/test/acceptance/sending/crash/',
  '/test/contract/',
  '/test/functions/cli/service.',
  '/test/infra/transitions.',
  '/test/infra/bundle.',
  '/test/infra/app.',
  '/test/acceptance/',
  '/test/functions/cli/',
  '/test/pages/',
  '/test/console/',
];

/** A long suite that began last would keep a run waiting. On a clean clone jest knows no durations and begins with large files. */
export default class LongestFirst extends TestSequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const sorted = await super.sort(tests);
    const rankOf = ({ path }: Tests[number]) => {
      const rank = longSuites.findIndex((part) => path.includes(part));
      return rank === -1 ? longSuites.length : rank;
    };
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
