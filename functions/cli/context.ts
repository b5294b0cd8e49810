import { randomUUID } from 'node:crypto';
import { now } from '../../shared/platform/clock.ts';
import type { Context, DeploymentContext } from '../../shared/services/context.ts';
import { findWorkspace } from '../../shared/services/workspaces/find.ts';
import type { WorkspaceOption } from './action.ts';

/** Whoever can reach the table is the operator: the data folder or the AWS credentials are their key. */
export function operator(): DeploymentContext {
  return { actor: { kind: 'operator' }, language: 'en', now: now(), requestId: randomUUID() };
}

/** The operator at work in a workspace: the one that is named, or the only one there is. */
export function inWorkspace({ workspace }: WorkspaceOption): Promise<Context> {
  return findWorkspace(operator(), { id: workspace });
}
