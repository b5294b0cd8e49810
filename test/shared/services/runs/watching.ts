import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { AutomationStep, Trigger } from '../../../../shared/domain/automation/automation.ts';
import type { Subscriber } from '../../../../shared/domain/person/person.ts';
import { auditRuns } from '../../../acceptance/audit.ts';
import { contextOf } from '../context.ts';
import { type RunsWorld, tag } from './world.ts';

type Values = Partial<Pick<Subscriber, 'tags' | 'fields' | 'firstName' | 'status'>>;

/** What tests of segments and dates do, besides what a world of runs has. */
export function watchingWorld(world: RunsWorld) {
  const { modules, workspaceId } = world;
  const context = () => ({ ...contextOf(workspaceId), now: modules.now() });

  /** A person as the API would change or create them. */
  const change = (email: string, values: Values) =>
    modules.changePerson({ workspaceId, email }, 'api', modules.now(), ({ person }) => {
      const subscriber = person.subscriber ?? modules.newSubscriber('subscribed', modules.now());
      return { person: { ...person, subscriber: { ...subscriber, ...values } }, result: null };
    });

  let people = 0;
  const newcomer = async (values: Values = {}): Promise<string> => {
    people += 1;
    const email = `n${people}@example.net`;
    await change(email, values);
    return email;
  };

  let automations = 0;
  /** An automation of one step, enabled by a call. */
  const watch = async (trigger: Trigger, more: object = {}, steps: readonly AutomationStep[] = [tag('done')]) => {
    automations += 1;
    const keys = ['start', ...steps.map(({ key }) => key)];
    const given = {
      ...{ name: `W${automations}`, status: 'enabled', reentry: 'always', from: 'Acme <hello@example.com>' },
      steps: [{ key: 'start', type: 'trigger', config: trigger }, ...steps],
      connections: keys.slice(1).map((to, index) => ({ from: keys[index], to })),
      ...more,
    };
    const { id } = await modules.createAutomation(context(), given as never);
    return id;
  };

  const update = (id: string, values: object) => modules.updateAutomation(context(), { id, ...values } as never);

  let segments = 0;
  const segment = async (rule: object): Promise<string> => {
    segments += 1;
    return (await modules.createSegment(context(), { name: `S${segments}`, rule })).id;
  };

  const starts = async (id: string, email: string): Promise<number> =>
    (await modules.listAutomationRuns(contextOf(workspaceId), { id, email, limit: 50 } as never)).entries.length;

  /** Everything that a message leads to. */
  const settle = async () => {
    for (let times = 0; times < 4; times += 1) await world.drain();
  };

  const items = async () => {
    const { Items = [] } = await modules.documents.send(new ScanCommand({ TableName: 'test', ConsistentRead: true }));
    return Items;
  };

  return {
    ...{ context, change, newcomer, watch, update, segment, starts, settle, items },
    editSegment: (id: string, values: object) => modules.editSegment(context(), { id, ...values }),
    stats: (id: string) => modules.automationStats(contextOf(workspaceId), { id } as never),
    audit: async () => auditRuns(await items()),
    /** What is due of people whom segments and dates may start. */
    dueLooks: async (id: string) =>
      (await items())
        .filter(({ due_pk, sk }) => /^DUE#ENROLMENT/.test(String(due_pk)) && String(sk).includes(id))
        .map(({ due_sk }) => String(due_sk)),
  };
}
