import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followLog, type ServiceOutputs } from './serviceLog.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailroom-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The log of a service that wrote these lines, to each of its outputs in turn. */
function logOf(...lines: string[]) {
  const outputs = write(...lines);
  return followLog(outputs, { fromStart: true });
}

function write(...lines: string[]): ServiceOutputs {
  const outputs = { stdout: join(folder, 'stdout.log'), stderr: join(folder, 'stderr.log') };
  const files = Object.values(outputs);
  for (const file of files) appendFileSync(file, '');
  for (const [index, line] of lines.entries()) appendFileSync(files[index % 2] ?? '', `${line}\n`);
  return outputs;
}

const line = (fields: object) => JSON.stringify({ level: 'INFO', message: 'call', request_id: 'r', ...fields });
const wrong = line({ who: 'ada@example.net' });

describe('the log of a service under test', () => {
  it('is accepted with lines that belong to a call and hold no secret, and with its greeting', () => {
    const log = logOf('Mailroom is ready.', line({}), '  API key mr_live_x', line({ count: 1 }));
    expect(() => log.check()).not.toThrow();
    expect(log.lines()).toHaveLength(2);
  });

  it.each([
    ['an address in a field', wrong],
    ['an address in a path', line({ path: '/subscribers/ada%40example.net' })],
    ['a key', line({ key: 'mr_live_abc' })],
    ['a line without an id', line({ request_id: undefined })],
  ])('is refused for %s', (_, refused) => {
    expect(() => logOf(refused).check()).toThrow();
  });

  it('is refused on either output, also for an address in a complaint of an engine', () => {
    expect(() => logOf(line({}), wrong).check()).toThrow();
    expect(() => logOf(line({}), 'Local SES: ada@example.net was not taken.').check()).toThrow('names an address');
  });

  it('begins where the outputs ended when the test file got the service', () => {
    const log = followLog(write(wrong));
    expect(() => log.check()).not.toThrow();
    write(wrong);
    expect(() => log.check()).toThrow('names an address');
  });
});
