import { createRequire } from 'node:module';

// Its types describe what `require` gives, not what `import` does.
const { default: TestSequencer } = createRequire(import.meta.url)(
  '@jest/test-sequencer',
) as typeof import('@jest/test-sequencer');

type Tests = Parameters<InstanceType<typeof TestSequencer>['sort']>[0];

const folders = ['/test/acceptance/', '/test/functions/cli/', '/test/pages/', '/test/console/'];

/**
 * Suites that wait for a service, for its clock and for its deaths come first, then those that start many programs: one of
 * them that began last would keep the whole run waiting, on one processor. On a clean clone jest knows no times to go by
 * and would start with large files.
 */
export default class LongestFirst extends TestSequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const sorted = await super.sort(tests);
    const turnOf = ({ path }: Tests[number]) => folders.findIndex((folder) => path.includes(folder));
    return [...folders.keys(), -1].flatMap((turn) => sorted.filter((test) => turnOf(test) === turn));
  }
}
