import type { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { followLog } from './serviceLog.ts';

/** A service that writes these lines, one to each of its outputs in turn. */
async function serviceThatWrites(...lines: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const log = followLog({ stdout, stderr, once: () => {} } as unknown as ChildProcess);
  for (const [index, line] of lines.entries()) (index % 2 ? stderr : stdout).write(`${line}\n`);
  await turn();
  return log;
}

const line = (fields: object) => JSON.stringify({ level: 'INFO', message: 'call', request_id: 'r', ...fields });

describe('the log of a service under test', () => {
  it('is fine with lines that belong to a call and tell no secret, and with its greeting', async () => {
    const log = await serviceThatWrites('Mailroom is ready.', line({}), '  API key mr_live_x', line({ count: 1 }));
    await log.ready;
    expect(() => log.check()).not.toThrow();
  });

  it.each([
    ['an address in a field', line({ who: 'ada@example.net' })],
    ['an address in a path', line({ path: '/subscribers/ada%40example.net' })],
    ['a key', line({ key: 'mr_live_abc' })],
    ['a line without an id', line({ request_id: undefined })],
  ])('is refused for %s, wherever it is written', async (_, wrong) => {
    const onStdout = await serviceThatWrites(wrong);
    expect(() => onStdout.check()).toThrow();
    const onStderr = await serviceThatWrites(line({}), wrong);
    expect(() => onStderr.check()).toThrow();
  });

  it('is refused for an address in a complaint of an engine', async () => {
    const log = await serviceThatWrites(line({}), 'Local SES: ada@example.net was not taken.');
    expect(() => log.check()).toThrow('names an address');
  });
});
