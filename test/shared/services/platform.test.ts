import type { OperatorRole } from '../../../shared/domain/workspace/workspace.ts';
import { mayDo, type OperatorNeed } from '../../../shared/services/operatorVerb.ts';
import { operatorContext } from './context.ts';
import { startQueuesAndTable } from './queuesAndTable.ts';
import { type DeclaredVerb, declaredVerbs } from './verbs.ts';

let engines: Awaited<ReturnType<typeof startQueuesAndTable>>;
let workspaceId: string;
let verbs: readonly DeclaredVerb[];

/** What protects the account from one workspace, and what all of them share. */
const ofPlatform = [
  'domain.assign',
  ...['operator.change', 'operator.invite', 'operator.link', 'operator.remove', 'operator.sign_out'],
  ...[
    'plan.set',
    'platform_suppression.add',
    'platform_suppression.remove',
    'queue.redrive',
    'restore.check',
    'secret.rotate',
  ],
  ...['sending.hold', 'sending.release', 'sending.resume'],
  ...['throttle.lower', 'throttle.restore', 'webhook.reseal', 'workspace.create'],
];

beforeAll(async () => {
  engines = await startQueuesAndTable();
  verbs = await declaredVerbs();
  const { createWorkspace, deleteWorkspace } = await import('../../../shared/services/workspaces/workspaces.ts');
  const made = await createWorkspace(operatorContext(), { name: 'Closed', plan: 'free', language: 'en' });
  workspaceId = made.id;
  await deleteWorkspace(operatorContext(workspaceId), { name: 'Closed' });
});
afterAll(() => engines.stop());

/** Whether each verb lets an operator through, in a workspace that is closed, so that none acts. */
async function refused(role: OperatorRole, own: string | null): Promise<string[]> {
  const context = operatorContext(workspaceId);
  const actor = { ...context.actor, role, workspaceId: own };
  const actions: string[] = [];
  for (const { action, call } of verbs) {
    const error = await call({ ...context, actor }).catch((caught: unknown) => caught);
    if ((error as { code?: string }).code === 'insufficient_scope') actions.push(action);
  }
  return actions;
}

const needing = (...needs: OperatorNeed[]) =>
  verbs.flatMap(({ action, needs: need }) => (needs.includes(need) ? [action] : []));

describe('a verb that concerns all workspaces', () => {
  it('is one of these', () => {
    expect([...new Set(needing('platform'))].sort()).toEqual(ofPlatform);
  });

  it('is refused to an owner of one workspace, and no other verb is', async () => {
    expect(await refused('owner', workspaceId)).toEqual(needing('platform'));
  });

  it('is open to owners of all workspaces, as the command line is', async () => {
    expect(await refused('owner', null)).toEqual([]);
  });

  it('is refused to editors and viewers of all workspaces', async () => {
    expect(await refused('editor', null)).toEqual(needing('own', 'platform'));
    expect(await refused('viewer', null)).toEqual(needing('change', 'own', 'platform'));
  });

  it('is refused with a sentence that says whom to ask', async () => {
    const { setPlan } = await import('../../../shared/services/workspaces/workspaces.ts');
    const context = operatorContext(workspaceId);
    const actor = { ...context.actor, workspaceId };
    expect(mayDo(actor, 'own')).toBe(true);
    await expect(setPlan({ ...context, actor }, { plan: 'scale' })).rejects.toMatchObject({
      details: { required: 'platform' },
      text: { en: expect.stringContaining('Only an owner of all workspaces') },
    });
  });
});
