import { setImmediate as turn } from 'node:timers/promises';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { ScheduledEvent } from 'aws-lambda';
import { lambdaContext } from '../../../infra/local/lambdaContext.ts';
import { createId } from '../../../shared/domain/identifier.ts';
import { startQueuesAndTable } from '../../shared/services/queuesAndTable.ts';
import { aroundCalls } from '../../shared/store/aroundCalls.ts';

let engines: Awaited<ReturnType<typeof startQueuesAndTable>>;
let modules: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../functions/workers/sweep.ts')),
  ...(await import('../../../shared/store/jobs.ts')),
  ...(await import('../../../shared/store/table/keys.ts')),
  ...(await import('../../../shared/store/table/table.ts')),
});

beforeAll(async () => {
  engines = await startQueuesAndTable();
  modules = await load();
});
afterAll(() => engines.stop());

const sweep = async () => modules.handler({} as ScheduledEvent, lambdaContext('sweep', 300), () => {});

/** A job whose worker is late. */
async function lateJob(): Promise<string> {
  const at = new Date(Date.now() - 60_000);
  const position = { workspaceId: createId('ws', at), id: createId('job', at) };
  const by = { name: 'test', role: 'owner' } as const;
  const work = { kind: 'export', format: 'csv', status: null, segmentId: null, segmentName: null, records: 0 } as const;
  await modules.putJob({
    ...{ ...position, state: 'running', work, by, language: 'en', createdAt: at.toISOString(), endedAt: null },
    ...{ failure: null, holder: 'somebody', dueAt: at.toISOString(), tries: 1, revision: 3 },
  });
  return position.id;
}

async function queuedJobs(): Promise<string[]> {
  const { Messages = [] } = await engines.sqs.send(
    new ReceiveMessageCommand({ QueueUrl: engines.queues.job?.url, MaxNumberOfMessages: 10 }),
  );
  return Messages.map(({ Body = '' }) => JSON.parse(Body).job_id);
}

describe('the sweeper', () => {
  it('succeeds when nothing is due', async () => {
    await sweep();
  });

  it('does what the other sweeps are for when one fails, and then fails', async () => {
    const id = await lateJob();
    const failed = Promise.withResolvers<void>();
    let isOver = false;
    let wasOverBefore: boolean | undefined;
    const restore = aroundCalls(modules.documents, (next) => async (call) => {
      const looksFor = (partition: string) =>
        call.operation === 'Query' && JSON.stringify(call.input).includes(partition);
      if (looksFor(modules.dueDeletionPartition)) {
        failed.resolve();
        throw new Error('The table is away.');
      }
      if (looksFor(modules.dueJobPartition)) {
        // This one goes on long after the failure: an invocation that has ended does no more.
        await failed.promise;
        for (let turns = 0; turns < 500 && !isOver; turns += 1) await turn();
        wasOverBefore = isOver;
      }
      return next(call);
    });
    const run = sweep().finally(() => {
      isOver = true;
      restore();
    });
    await expect(run).rejects.toThrow('The worker failed');
    expect(wasOverBefore).toBe(false);
    expect(await queuedJobs()).toEqual([id]);
  });
});
