import { setImmediate as turn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { addLogFields, logger, withLogFields } from '../../../shared/platform/logger.ts';

// biome-ignore lint/suspicious/noExplicitAny: lines are JSON of any shape, and tests look into them
let lines: any[];
beforeEach(() => {
  lines = [];
  for (const stream of [process.stdout, process.stderr]) {
    jest.spyOn(stream, 'write').mockImplementation((line) => {
      lines.push(JSON.parse(String(line)));
      return true;
    });
  }
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('a line of the log', () => {
  it('carries the ids of its own call, however many run at once', async () => {
    const call = (id: string) =>
      withLogFields({ request_id: id }, async () => {
        await turn();
        addLogFields({ workspace_id: `ws_${id}` });
        await turn();
        logger.info('working', { own: id });
        await turn();
        logger.error('failed', new Error(id));
      });
    await Promise.all(Array.from({ length: 50 }, (_, index) => call(String(index))));
    logger.info('alone');
    expect(lines).toHaveLength(101);
    for (const { own, error, request_id, workspace_id } of lines.slice(0, -1)) {
      expect([request_id, workspace_id]).toEqual([own ?? error.message, `ws_${own ?? error.message}`]);
    }
    expect(lines.at(-1)).not.toHaveProperty('request_id');
  });

  it('keeps the ids of the call around a record’s own', () => {
    withLogFields({ function_request_id: 'f' }, () =>
      withLogFields({ message_id: 'm' }, () => logger.warn('both', { count: 1 })),
    );
    expect(lines[0]).toMatchObject({ function_request_id: 'f', message_id: 'm', count: 1, level: 'WARN' });
  });
});

describe('an error in the log', () => {
  it('says what it is and where, what caused it, and nothing of what was in the way', () => {
    const cause = Object.assign(new Error('The conditional request failed for ada@example.net'), {
      name: 'TransactionCanceledException',
      $metadata: { httpStatusCode: 400, requestId: 'AWS1' },
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: { name: { S: 'Lovelace' } } }],
    });
    logger.error('failed', new Error('Nothing was written.', { cause }));
    const [{ error }] = lines;
    expect(error).toMatchObject({ name: 'Error', message: 'Nothing was written.' });
    expect(error.stack).toContain('logger.test.ts');
    expect(error.cause).toMatchObject({
      name: 'TransactionCanceledException',
      message: 'The conditional request failed for [address]',
      http_status: 400,
      aws_request_id: 'AWS1',
      reasons: ['None', 'ConditionalCheckFailed'],
    });
    expect(JSON.stringify(lines)).not.toMatch(/Lovelace|ada@/);
  });

  it('logs each of several causes', () => {
    logger.error('failed', new AggregateError([new Error('one'), new Error('two')], 'both'));
    expect(lines[0].error.errors.map(({ message }: Error) => message)).toEqual(['one', 'two']);
  });
});
