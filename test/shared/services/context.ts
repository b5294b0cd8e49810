import type { Context, SystemActor } from '../../../shared/services/context.ts';

/** What a verb is told when a test calls it and nothing depends on who asks. */
export const contextOf = (workspaceId: string): Context<SystemActor> => ({
  actor: { kind: 'system' },
  workspaceId,
  language: 'en',
  now: new Date(),
  requestId: 'test',
});
