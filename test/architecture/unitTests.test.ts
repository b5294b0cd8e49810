import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { heavyImportsOf } from '../unitTests.ts';
import { readSources } from './importGraph.ts';

const root = join(import.meta.dirname, '..', '..');
const tests = [...readSources().keys()].filter((path) => path.startsWith('test/') && path.endsWith('.test.ts'));
const unit = tests.filter((path) => heavyImportsOf(path).length === 0);

describe('the unit tests', () => {
  it.each([
    ['test/acceptance/service.ts', 'node:child_process'],
    ['test/acceptance/sending/send.test.ts', 'node:child_process'],
    ['test/shared/store/testTable.ts', 'node:child_process'],
    ['test/infra/local/ses/harness.ts', 'node:sqlite'],
    ['test/infra/needs.test.ts', 'aws-cdk-lib'],
    ['test/infra/bundle.test.ts', 'esbuild'],
    ['test/pages/start.test.ts', 'playwright-core'],
  ])('leave out what loads %s', (path, heavy) => {
    expect(heavyImportsOf(path)).toContain(heavy);
  });

  it('start no service, engine or browser', () => {
    const harness =
      /\b(startService|startTestTable|startQueuesAndTable|startDynamoDb|startEngines|startMessaging|startLocalSes|chromium)\(/;
    expect(unit.filter((path) => harness.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
  });

  it('are a third of all suites and more, among them all of the domain but those in a browser', () => {
    expect(unit.length).toBeGreaterThan(tests.length / 3);
    const domain = tests.filter((path) => path.startsWith('test/shared/domain/'));
    expect(domain.filter((path) => !unit.includes(path) && !path.endsWith('/browser.test.ts'))).toEqual([]);
  });
});
