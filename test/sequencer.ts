import { createRequire } from 'node:module';

// Its types describe what `require` gives, not what `import` does.
const { default: TestSequencer } = createRequire(import.meta.url)(
  '@jest/test-sequencer',
) as typeof import('@jest/test-sequencer');

type Tests = Parameters<InstanceType<typeof TestSequencer>['sort']>[0];

/**
 * Suites that wait for a service, for its clock and for its deaths come first: one of them that began last would keep the
 * whole run waiting, on one processor. On a clean clone jest knows no times to go by and would start with large files.
 */
export default class WaitingFirst extends TestSequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const isWaiting = ({ path }: Tests[number]) => path.includes('/test/acceptance/');
    const sorted = await super.sort(tests);
    return [...sorted.filter(isWaiting), ...sorted.filter((test) => !isWaiting(test))];
  }
}
