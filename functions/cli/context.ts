import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { now } from '../../shared/platform/clock.ts';
import type { Context, DeploymentContext, OperatorActor } from '../../shared/services/context.ts';
import { findWorkspace } from '../../shared/services/workspaces/find.ts';
import type { WorkspaceOption } from './action.ts';
import { chosenWorkspace } from './connect/chosen.ts';
import { printable } from './output.ts';

/** Named by the account of the machine: the credentials of AWS name nobody without a call more. */
function owner(): OperatorActor {
  return { kind: 'operator', role: 'owner', door: 'command_line', name: userInfo().username, workspaceId: null };
}

/** Whoever can reach the table is the operator: the data folder or the AWS credentials are their key. */
export function operator(): DeploymentContext & { readonly actor: OperatorActor } {
  return { actor: owner(), language: 'en', now: now(), requestId: randomUUID() };
}

/**
 * The operator at work in a workspace: the one that is named, else the one in use, else the only one there is. Where it
 * could have been another one, a person is told which it was.
 */
export async function inWorkspace(options: WorkspaceOption): Promise<Context> {
  const asked = { wanted: options.workspace, chosen: chosenWorkspace(options) };
  const { context, name, isOneOfSeveral } = await findWorkspace(operator(), asked);
  if (isOneOfSeveral && !options.json) process.stderr.write(`In ${printable(name)} (${context.workspaceId}).\n`);
  return context;
}
