import type { Context, OperatorActor, PersonContext, SystemActor } from '../../../shared/services/context.ts';

/** What a verb is told when a test calls it and nothing depends on who asks. */
export const contextOf = (workspaceId: string): Context<SystemActor> => ({
  actor: { kind: 'system' },
  workspaceId,
  language: 'en',
  now: new Date(),
  requestId: 'test',
});

/** What a verb of the operator is told; the workspace matters to those that are about one. */
export const operatorContext = (workspaceId = '', now = new Date()): Context<OperatorActor> => ({
  ...contextOf(workspaceId),
  actor: { kind: 'operator', role: 'owner', door: 'command_line', name: 'test', workspaceId: null },
  now,
});

/** What a verb of somebody with a link is told. */
export const personContext = (now = new Date()): PersonContext => ({
  actor: { kind: 'person' },
  language: 'en',
  now,
  requestId: 'test',
});
