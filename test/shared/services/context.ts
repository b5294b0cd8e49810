import type { Context, OperatorActor, PersonContext, SystemActor } from '../../../shared/services/context.ts';

/** The context of a verb when the actor does not matter. */
export const contextOf = (workspaceId: string): Context<SystemActor> => ({
  actor: { kind: 'system' },
  workspaceId,
  language: 'en',
  now: new Date(),
  requestId: 'test',
});

/** The context of an operator's verb; without a workspace it is about the deployment. */
export const operatorContext = (workspaceId = '', now = new Date()): Context<OperatorActor> => ({
  ...contextOf(workspaceId),
  actor: { kind: 'operator', role: 'owner', entryPoint: 'command_line', name: 'test', workspaceId: null },
  now,
});

/** The context of a verb that a person calls by a link. */
export const personContext = (now = new Date()): PersonContext => ({
  actor: { kind: 'person' },
  language: 'en',
  now,
  requestId: 'test',
});
