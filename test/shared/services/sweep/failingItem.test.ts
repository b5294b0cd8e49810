import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { createId } from '../../../../shared/domain/identifier.ts';
import { type Fate, startProxy } from '../../queue/sqsProxy.ts';
import { aroundCalls } from '../../store/aroundCalls.ts';
import { startTestBucket } from '../../store/files/testBucket.ts';
import { startQueuesAndTable } from '../queuesAndTable.ts';

let engines: Awaited<ReturnType<typeof startQueuesAndTable>>;
let bucket: Awaited<ReturnType<typeof startTestBucket>>;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let modules: Awaited<ReturnType<typeof load>>;
/** The answer of SQS to a call, by its body. */
let fate: (body: string) => Fate = () => undefined;

async function load() {
  const [delivery, deliveries, deliverySweep, scheduled, scheduledSweep, jobs, jobSweep, runners, runnerSweep, table] =
    await Promise.all([
      import('../../../../shared/domain/webhook/delivery.ts'),
      import('../../../../shared/store/webhook/deliveries.ts'),
      import('../../../../shared/services/sweep/requeue.ts'),
      import('../../../../shared/store/emails/scheduledEmails.ts'),
      import('../../../../shared/services/sweep/requeue.ts'),
      import('../../../../shared/store/jobs.ts'),
      import('../../../../shared/services/sweep/requeue.ts'),
      import('../../../../shared/store/campaign/runners.ts'),
      import('../../../../shared/services/sweep/requeue.ts'),
      import('../../../../shared/store/table/table.ts'),
    ]);
  const deletions = await import('../../../../shared/store/workspace/deletions.ts');
  const deletionSweep = await import('../../../../shared/services/sweep/deleteWorkspaces.ts');
  const { UpdateCommand } = await import('@aws-sdk/lib-dynamodb');
  const keys = await import('../../../../shared/store/table/keys.ts');
  const { transact } = await import('../../../../shared/store/table/transaction.ts');
  return {
    ...delivery,
    ...deliveries,
    ...deliverySweep,
    ...scheduled,
    ...scheduledSweep,
    ...jobs,
    ...jobSweep,
    ...runners,
    ...runnerSweep,
    ...table,
    ...deletions,
    ...deletionSweep,
    UpdateCommand,
    keys,
    transact,
  };
}

const queueNames = ['webhook-delivery', 'webhook-delivery-bulk', 'confirmation', 'job', 'campaign'] as const;
const urlOf = (name: (typeof queueNames)[number]) => engines.queues[name]?.url ?? '';

beforeAll(async () => {
  [engines, bucket] = await Promise.all([startQueuesAndTable(), startTestBucket()]);
  proxy = await startProxy(String(process.env.AWS_ENDPOINT_URL_SQS), (_operation, body) => fate(body));
  process.env.AWS_ENDPOINT_URL_SQS = proxy.endpoint;
  modules = await load();
});
afterAll(async () => {
  await proxy.stop();
  await Promise.all([engines.stop(), bucket.stop()]);
});
afterEach(() => {
  fate = () => undefined;
});

/** Takes the visible messages off a queue. */
async function messagesOf(name: (typeof queueNames)[number]): Promise<Record<string, unknown>[]> {
  const QueueUrl = urlOf(name);
  const { Messages = [] } = await engines.sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
  if (Messages.length === 0) return [];
  for (const { ReceiptHandle } of Messages) {
    await engines.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
  return [...Messages.map(({ Body = '' }) => JSON.parse(Body)), ...(await messagesOf(name))];
}

/** Fails every call for one key while `work` runs. Returns the number of these calls. */
async function failingFor(id: string, work: () => Promise<void>): Promise<number> {
  let count = 0;
  const restore = aroundCalls(modules.documents, (next) => async (command) => {
    if (!JSON.stringify((command.input as { Key?: object }).Key ?? null).includes(id)) return next(command);
    count += 1;
    throw new Error('The table is away.');
  });
  try {
    await work();
  } finally {
    restore();
  }
  return count;
}

/** Makes an item unreadable. */
const spoil = (Key: object, name: string) =>
  modules.documents.send(
    new modules.UpdateCommand({
      TableName: 'test',
      Key,
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': { spoilt: true } },
    }),
  );

const oneFailed = '1 due items failed.';
const at = new Date();
const seconds = (count: number) => new Date(at.getTime() + count * 1000);

describe('a delivery that cannot be read', () => {
  it('does not keep others from being queued, and is tried again after ten minutes', async () => {
    const position = () => ({
      workspaceId: createId('ws', at),
      webhookId: createId('whk', at),
      deliveryId: createId('whd', at),
    });
    const positions = Array.from({ length: 60 }, position);
    for (const [index, one] of positions.entries()) {
      const event = { eventId: createId('evt', at), eventType: 'email.delivered', body: '{}', createdAt: at } as const;
      // The one that fails is the oldest.
      await modules.addDelivery({ ...modules.newDelivery(one, event), dueAt: seconds(index) });
    }
    const [spoilt, ...others] = positions;
    if (!spoilt) throw new Error('There is no delivery.');
    await spoil({ pk: `WS#${spoilt.workspaceId}#WEBHOOK#${spoilt.webhookId}`, sk: spoilt.deliveryId }, 'body');
    await expect(modules.sweepDueDeliveries(seconds(180))).rejects.toThrow(oneFailed);
    const queued = (await messagesOf('webhook-delivery')).map((message) => JSON.stringify(message));
    expect(queued).toHaveLength(others.length);
    for (const { deliveryId } of others) expect(queued.filter((one) => one.includes(deliveryId))).toHaveLength(1);
    await modules.sweepDueDeliveries(seconds(180 + 600 + 59));
    expect(await messagesOf('webhook-delivery')).toEqual([]);
    await expect(modules.sweepDueDeliveries(seconds(180 + 600 + 61))).rejects.toThrow(oneFailed);
  });
});

describe('a scheduled email that cannot be taken', () => {
  const scheduled = async (stage: 'far' | 'queued', dueAt: Date) => {
    const position = { workspaceId: createId('ws', at), id: createId('email', at) };
    await modules.addScheduled(
      {
        ...position,
        content: { from: 'a@example.com', to: ['b@example.net'], cc: [], bcc: [], replyTo: [], subject: 's', tags: [] },
        state: 'scheduled',
        scheduledAt: dueAt.toISOString(),
        createdAt: at.toISOString(),
        updatedAt: at.toISOString(),
        expiresAt: Math.floor(at.getTime() / 1000) + 3600,
        inDoubt: [],
        tries: 0,
      },
      { stage, at: dueAt },
    );
    return position;
  };
  const queuedIds = async () => (await messagesOf('confirmation')).map(({ email_id }) => email_id).sort();

  it.each(['far', 'queued'] as const)(
    'keeps no other from it that is %s, is tried once a run, and again in the next',
    async (stage) => {
      const [failing, ...others] = await Promise.all(
        [-9, -8, -7, -6].map((second) => scheduled(stage, seconds(second))),
      );
      const tries = await failingFor(failing?.id ?? '', () =>
        expect(modules.sweepDueScheduled(at)).rejects.toThrow(oneFailed),
      );
      expect(await queuedIds()).toEqual(others.map(({ id }) => id).sort());
      expect(tries).toBe(1);
      await modules.sweepDueScheduled(at);
      expect(await queuedIds()).toEqual([failing?.id]);
    },
  );

  it('because it cannot be read is tried again after five minutes', async () => {
    const [spoilt, other] = await Promise.all([-9, -8].map((second) => scheduled('queued', seconds(second))));
    await spoil(modules.keys.scheduledKey(spoilt?.workspaceId ?? '', spoilt?.id ?? ''), 'created_at');
    await expect(modules.sweepDueScheduled(at)).rejects.toThrow(oneFailed);
    expect(await queuedIds()).toEqual([other?.id]);
    await modules.sweepDueScheduled(seconds(240));
    await expect(modules.sweepDueScheduled(seconds(400))).rejects.toThrow(oneFailed);
  });
});

describe('a late job', () => {
  const begun = async () => {
    const work = {
      kind: 'export',
      format: 'csv',
      status: null,
      segmentId: null,
      segmentName: null,
      records: 0,
    } as const;
    const position = { workspaceId: createId('ws', at), id: createId('job', at) };
    const by = { name: 'test', role: 'owner' } as const;
    const job = { ...position, state: 'running', work, by, language: 'en', createdAt: at.toISOString() } as const;
    const open = { endedAt: null, failure: null, holder: 'somebody', dueAt: at.toISOString(), tries: 1, revision: 3 };
    await modules.putJob({ ...job, ...open });
    return position;
  };
  const queuedIds = async () => (await messagesOf('job')).map(({ job_id }) => job_id).sort();

  it('that cannot be released does not block others, and is tried again in the next run', async () => {
    const [failing, ...others] = await Promise.all([1, 2, 3].map(begun));
    await failingFor(failing?.id ?? '', () => expect(modules.sweepLateJobs(seconds(1))).rejects.toThrow(oneFailed));
    expect(await queuedIds()).toEqual(others.map(({ id }) => id).sort());
    await modules.sweepLateJobs(seconds(60));
    expect(await queuedIds()).toEqual([failing?.id]);
  });

  it('whose message SQS does not accept does not block others, and is late again after two minutes', async () => {
    const [failing, ...others] = await Promise.all([1, 2, 3].map(begun));
    fate = (body) => (body.includes(failing?.id ?? '') ? refused : undefined);
    await expect(modules.sweepLateJobs(seconds(1))).rejects.toThrow(oneFailed);
    expect(await queuedIds()).toEqual(others.map(({ id }) => id).sort());
    fate = () => undefined;
    await modules.sweepLateJobs(seconds(119));
    expect(await queuedIds()).toEqual([]);
    await modules.sweepLateJobs(seconds(122));
    expect(await queuedIds()).toContain(failing?.id);
  });

  it('that this release cannot read is queued like the others; its worker reports it', async () => {
    const [unknown, ...others] = await Promise.all([1, 2, 3].map(begun));
    await spoil(modules.keys.jobKey(unknown?.workspaceId ?? '', unknown?.id ?? ''), 'work');
    await modules.sweepLateJobs(seconds(1));
    expect(await queuedIds()).toEqual([unknown, ...others].map((one) => one?.id).sort());
  });

  it('is released from its worker, which then finds it changed', async () => {
    const position = await begun();
    const seen = await modules.getJob(position.workspaceId, position.id);
    if (!seen) throw new Error('The job is gone.');
    await Promise.all([modules.sweepLateJobs(seconds(1)), modules.sweepLateJobs(seconds(1))]);
    expect(await queuedIds()).toEqual([position.id]);
    const now = await modules.getJob(position.workspaceId, position.id);
    expect(now).toEqual({ ...seen, holder: null, dueAt: seconds(121).toISOString(), revision: 4 });
    expect(await modules.changeJob(seen, { tries: 2 })).toBeNull();
  });
});

describe('a runner of a campaign', () => {
  const started = async () => {
    const [workspaceId, id] = [createId('ws', at), createId('camp', at)];
    await modules.transact(modules.runnerParts({ workspaceId, id }, { runners: 1 }, seconds(-1), 2 ** 31));
    return id;
  };
  const woken = async () => (await messagesOf('campaign')).map(({ campaign_id }) => campaign_id).sort();
  const bothOf = (ids: readonly string[]) => ids.flatMap((id) => [id, id]).sort();

  it('that cannot be read, or whose message SQS does not accept, does not keep others from being woken', async () => {
    const [unread = '', unsent = '', ...others] = await Promise.all([1, 2, 3, 4].map(started));
    fate = (body) => (body.includes(unsent) ? refused : undefined);
    await failingFor(unread, () => expect(modules.sweepLateRunners(at)).rejects.toThrow('4 due items failed.'));
    expect(await woken()).toEqual(bothOf(others));
    fate = () => undefined;
    await modules.sweepLateRunners(seconds(60));
    expect(await woken()).toEqual(bothOf([unread, unsent, ...others]));
  });
});

describe('the deletion of a workspace', () => {
  it('is left to the run that has claimed it since the index was read', async () => {
    const workspaceId = createId('ws', at);
    await modules.startDeletion(workspaceId, seconds(-9));
    const restore = aroundCalls(modules.documents, (next) => async (command) => {
      const answer = await next(command);
      const deletion = command.operation === 'Query' ? await modules.getDeletion(workspaceId) : null;
      if (deletion) await modules.noteDeletion(deletion, { ...deletion, scanned: 7 }, seconds(60));
      return answer;
    });
    await modules.sweepDueDeletions(at).finally(restore);
    expect(await modules.getDeletion(workspaceId)).toMatchObject({ scanned: 7, dueAt: seconds(60).toISOString() });
  });

  it('that cannot be read does not keep others from being continued', async () => {
    const [spoilt, other] = [createId('ws', at), createId('ws', at)];
    for (const [index, id] of [spoilt, other].entries()) await modules.startDeletion(id, seconds(index - 9));
    await spoil(modules.keys.deletionKey(spoilt), 'scanned');
    await expect(modules.sweepDueDeletions(at)).rejects.toThrow(oneFailed);
    expect(await modules.getDeletion(other)).toMatchObject({ passes: 1, dueAt: seconds(892).toISOString() });
  });
});

const refused = { status: 400, body: { __type: 'com.amazonaws.sqs#InvalidMessageContents', message: 'no' } };
