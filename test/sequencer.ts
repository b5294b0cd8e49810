import { createRequire } from 'node:module';

// Its types describe what `require` gives, not what `import` does.
const { default: TestSequencer } = createRequire(import.meta.url)(
  '@jest/test-sequencer',
) as typeof import('@jest/test-sequencer');

type Tests = Parameters<InstanceType<typeof TestSequencer>['sort']>[0];

/** Folders with long suites, the longest first: those that wait for services and their clocks, then those that start many processes. */
const longFolders = [
  '/test/acceptance/campaigns/',
  '/test/acceptance/sending/crash/',
  '/test/contract/',
  '/test/docs/readme.',
  '/test/acceptance/',
  '/test/functions/cli/',
  '/test/pages/',
  '/test/console/',
  '/test/infra/app.',
];

/** A long suite that began last would keep a run waiting. On a clean clone jest knows no durations and begins with large files. */
export default class LongestFirst extends TestSequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const sorted = await super.sort(tests);
    const rankOf = ({ path }: Tests[number]) => {
      const rank = longFolders.findIndex((folder) => path.includes(folder));
      return rank === -1 ? longFolders.length : rank;
    };
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
