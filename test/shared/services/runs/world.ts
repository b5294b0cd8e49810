import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type {
  AutomationDefinition,
  AutomationStep,
  LiveSettings,
} from '../../../../shared/domain/automation/automation.ts';
import type { AutomationMessage } from '../../../../shared/queue/automation.ts';
import type { AutomationHead } from '../../../../shared/store/automation/automations.ts';
import type { PersonRecord } from '../../../../shared/store/person/personRecord.ts';
import { aroundCalls } from '../../store/aroundCalls.ts';
import { contextOf, operatorContext } from '../context.ts';
import { startQueuesAndTable } from '../queuesAndTable.ts';

/** A message that the provider took. */
interface Taken {
  readonly id: string;
  readonly to: string;
  readonly at: Date;
  readonly tags: Readonly<Record<string, string[]>>;
}

type Provider = 'takes' | 'takes in silence' | 'is busy' | 'refuses' | 'refuses the account';

interface SentBody {
  readonly EmailTags: readonly { readonly Name: string; readonly Value: string }[];
  readonly Destination: { readonly ToAddresses: readonly string[] };
}

/** A provider that keeps what it takes. */
async function startProvider(now: () => Date) {
  const taken: Taken[] = [];
  const state = { answer: 'takes' as Provider, perSecond: 10_000, onTaken: async () => {} };
  const server = createServer(async (request, response) => {
    const answer = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (!request.url?.includes('outbound-emails') && state.perSecond === 0)
      return answer({ __type: 'BadRequestException', message: 'No.' }, 400);
    if (!request.url?.includes('outbound-emails'))
      return answer({ SendQuota: { MaxSendRate: state.perSecond, Max24HourSend: -1 } });
    const { EmailTags, Destination } = (await json(request as IncomingMessage)) as SentBody;
    if (state.answer === 'is busy') return answer({ __type: 'TooManyRequestsException', message: 'Slow down.' }, 429);
    if (state.answer === 'refuses the account')
      return answer({ __type: 'AccountSuspendedException', message: 'No.' }, 403);
    if (state.answer === 'refuses') return answer({ __type: 'MessageRejected', message: 'No.' }, 400);
    const tags = Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, [Value]]));
    const id = `message-${taken.length}`;
    taken.push({ id, to: Destination.ToAddresses[0] ?? '', at: now(), tags });
    await state.onTaken();
    if (state.answer === 'takes in silence') return request.socket.destroy();
    return answer({ MessageId: id });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    taken,
    state,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const load = async () => ({
  ...(await import('../../../../shared/platform/clock.ts')),
  ...(await import('../../../../shared/platform/config.ts')),
  ...(await import('../../../../shared/services/runs/handleAutomationMessage.ts')),
  ...(await import('../../../../shared/services/runs/runCounters.ts')),
  ...(await import('../../../../shared/services/runs/internal/lookAtAudience.ts')),
  ...(await import('../../../../shared/services/runs/readRuns.ts')),
  ...(await import('../../../../shared/services/runs/endErasedRuns.ts')),
  ...(await import('../../../../shared/services/sweep/sweepAutomations.ts')),
  ...(await import('../../../../shared/services/personEvents/recordEvents.ts')),
  ...(await import('../../../../shared/services/people.ts')),
  ...(await import('../../../../shared/services/suppression.ts')),
  ...(await import('../../../../shared/services/feedback/recordFeedback.ts')),
  ...(await import('../../../../shared/services/feedback/batch.ts')),
  ...(await import('../../../../shared/services/automations/endAutomations.ts')),
  ...(await import('../../../../shared/services/automations/changeAutomations.ts')),
  ...(await import('../../../../shared/services/segments.ts')),
  ...(await import('../../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../../shared/email/feedbackEvent.ts')),
  ...(await import('../../../../shared/queue/automation.ts')),
  ...(await import('../../../../shared/store/feedbackWatermarks.ts')),
  ...(await import('../../../../shared/store/workspace/workspaces.ts')),
  ...(await import('../../../../shared/store/person/personRecord.ts')),
  ...(await import('../../../../shared/store/person/people.ts')),
  ...(await import('../../../../shared/store/personEvents/personEvents.ts')),
  ...(await import('../../../../shared/store/personEvents/mailActivity.ts')),
  ...(await import('../../../../shared/store/campaign/pace.ts')),
  ...(await import('../../../../shared/store/automation/changes.ts')),
  ...(await import('../../../../shared/store/automation/enrolments.ts')),
  ...(await import('../../../../shared/store/automation/eventWork.ts')),
  ...(await import('../../../../shared/store/automation/runs.ts')),
  ...(await import('../../../../shared/store/automation/runWrites.ts')),
  ...(await import('../../../../shared/store/automation/runLists.ts')),
  ...(await import('../../../../shared/store/automation/tallies.ts')),
  ...(await import('../../../../shared/domain/automation/tally.ts')),
  ...(await import('../../../../shared/domain/person/person.ts')),
  ...(await import('../../../../shared/domain/identifier.ts')),
  ...(await import('../../../../shared/store/table/keys.ts')),
  ...(await import('../../../../shared/store/table/batches.ts')),
  ...(await import('../../../../shared/store/table/table.ts')),
  heads: await import('../../../../shared/store/automation/automations.ts'),
  sqs: (await import('../../../../shared/queue/sqs.ts')).sqs,
});

class Dead extends Error {}

const writes = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'TransactWriteItems',
  'Put',
  'Update',
  'Delete',
  'TransactWrite',
  'BatchWrite',
]);

/** Table and queues as real engines, a provider, a clock that can be moved, and a worker that can be killed. */
export async function startRunsWorld() {
  let ahead = 0;
  const engines = await startQueuesAndTable();
  const provider = await startProvider(() => new Date(Date.now() + ahead));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SESV2: provider.endpoint,
    CONFIGURATION_SET: 'single',
    PUBLIC_URL: 'https://mail.example.com',
  });
  const modules = await load();
  modules.runAhead(() => ahead);
  const { id: workspaceId } = await modules.createWorkspace(operatorContext(), {
    name: 'Test',
    plan: 'growth',
    language: 'en',
  });
  await modules.putDomain(workspaceId, 'example.com', new Date(), new Date());
  const url = engines.queues.automation?.url ?? '';

  // The death of a worker: nothing that it does after that reaches the table or a queue.
  const death = { isDead: false, writes: 0, at: 0, side: 'after' as 'before' | 'after' };
  const watched =
    (isWrite: (operation: string) => boolean) =>
    (next: (call: { operation: string; input: object }) => Promise<object>) =>
    async (call: { operation: string; input: object }) => {
      if (death.isDead) throw new Dead();
      if (!isWrite(call.operation)) return next(call);
      death.writes += 1;
      const isHere = death.writes === death.at;
      if (isHere && death.side === 'before') {
        death.isDead = true;
        throw new Dead();
      }
      const answer = await next(call);
      if (isHere) {
        death.isDead = true;
        throw new Dead();
      }
      return answer;
    };
  aroundCalls(
    modules.documents,
    watched((operation) => writes.has(operation)),
  );
  aroundCalls(
    modules.sqs as never,
    watched(() => false),
  );

  const handled: AutomationMessage[] = [];
  const handle = async (message: AutomationMessage) => {
    const counters = new modules.RunCounters();
    handled.push(message);
    await modules.handleAutomationMessage(message, counters).catch((error: unknown) => {
      if (!death.isDead) throw error;
    });
    if (!death.isDead) await counters.write();
  };

  /** Handles what is in the queue, until it is empty. A message that waits there is left. */
  const drain = async () => {
    for (;;) {
      const { Messages = [] } = await engines.sqs.send(
        new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10 }),
      );
      if (Messages.length === 0) return;
      await Promise.all(
        Messages.map(async ({ Body = '', ReceiptHandle }) => {
          await engines.sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
          if (!death.isDead) await handle(modules.parseAutomationMessage(Body));
        }),
      );
    }
  };

  const told = new Set<string>();
  /** The provider's events on all that it took. */
  const tellTaken = async () => {
    const batch = modules.openBatch(modules.now());
    for (const one of provider.taken.filter(({ id }) => !told.has(id))) {
      told.add(one.id);
      const mail = { messageId: one.id, timestamp: one.at.toISOString(), destination: [one.to], tags: one.tags };
      const feedback = modules.readFeedback(JSON.stringify({ eventType: 'Send', mail }));
      if (feedback) await modules.recordFeedback(feedback, batch);
    }
    await modules.closeBatch(batch, 0);
  };

  const advance = async (seconds: number) => {
    ahead += seconds * 1000;
    await modules.sweepAutomations(modules.now());
    await drain();
  };

  const move = (seconds: number) => {
    ahead += seconds * 1000;
  };

  /** Lets time pass as on AWS, where events arrive and later mail proves what was not taken. */
  const pass = async (seconds: number, step = 100) => {
    for (let passed = 0; passed < seconds; passed += step) {
      await tellTaken();
      await modules.raiseEmailWatermark(modules.now());
      await advance(Math.min(step, seconds - passed));
    }
  };

  let automations = 0;
  const automation = async (
    steps: readonly AutomationStep[],
    connections: AutomationDefinition['connections'],
    more: Partial<AutomationDefinition> = {},
    settings: Partial<LiveSettings> = {},
  ): Promise<AutomationHead> => {
    automations += 1;
    const definition: AutomationDefinition = {
      ...{ steps: steps as unknown as AutomationDefinition['steps'], connections, reentry: 'always', run_key: null },
      ...{ goals: [], from: 'Acme <hello@example.com>', reply_to: null, track: null, ...more },
    };
    const at = modules.now().toISOString();
    const head: AutomationHead = {
      ...{ tag: null, quietHours: null, maxDelay: null, ...settings },
      ...{ workspaceId, id: modules.createId('auto', modules.now()), name: `A${automations}`, status: 'enabled' },
      ...{ version: 1, epoch: 0, revision: 1, held: null, jobs: {}, createdAt: at, updatedAt: at, deletedAt: null },
    };
    const added = await modules.heads.addAutomation(head, definition, { limit: 10_000, jobs: [], at: modules.now() });
    if (!added) throw new Error('It was not added.');
    return head;
  };

  let people = 0;
  const someone = async (): Promise<string> => {
    people += 1;
    const email = `p${people}@example.net`;
    const record = modules.recordOf({
      ...{
        ...modules.nobody(workspaceId, email),
        version: 1,
        subscriber: modules.newSubscriber('subscribed', modules.now()),
      },
    });
    await modules.putItems<PersonRecord>([{ ...modules.addressItemKey(workspaceId, email), ...record }]);
    return email;
  };

  const record = (email: string, name: string, data: object = {}) =>
    modules.recordEvent({ ...contextOf(workspaceId), now: modules.now() }, { name, email, data } as never);

  const runsOf = async (head: AutomationHead, email: string) => {
    const { entries } = await modules.listAutomationRuns(contextOf(workspaceId), {
      id: head.id,
      email,
      limit: 10,
    } as never);
    return Promise.all(
      entries.map(({ id }) => modules.getAutomationRun(contextOf(workspaceId), { id: head.id, runId: id } as never)),
    );
  };

  return {
    ...{
      modules,
      workspaceId,
      provider,
      death,
      handled,
      drain,
      handle,
      move,
      advance,
      pass,
      tellTaken,
      automation,
      someone,
      record,
      runsOf,
    },
    stats: (head: AutomationHead) => modules.automationStats(contextOf(workspaceId), { id: head.id } as never),
    /** How often the provider took the message of a step for a person. */
    taken: (email: string) => provider.taken.filter(({ to }) => to === email).length,
    revive: () => Object.assign(death, { isDead: false, at: 0, writes: 0 }),
    stop: async () => {
      modules.runAhead(() => 0);
      provider.stop();
      await engines.stop();
    },
  };
}

export type RunsWorld = Awaited<ReturnType<typeof startRunsWorld>>;

export const chain = (...keys: readonly string[]): AutomationDefinition['connections'] =>
  keys.slice(1).map((to, index) => ({ from: keys[index] ?? '', to, type: 'default' as const }));

export const onEvent = (event_name: string): AutomationStep => ({
  key: 'start',
  type: 'trigger',
  config: { event_name },
});
export const mail = (key: string, more: object = {}): AutomationStep => ({
  ...{ key, type: 'send_email', config: { subject: key, text: 'Hi.', ...more } },
});
export const delay = (key: string, duration: string): AutomationStep => ({ key, type: 'delay', config: { duration } });
export const waitFor = (key: string, event_name: string, timeout: string): AutomationStep => ({
  ...{ key, type: 'wait_for_event', config: { event_name, timeout } },
});
export const tag = (key: string): AutomationStep => ({ key, type: 'subscriber_update', config: { add_tags: [key] } });
