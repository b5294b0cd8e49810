import { userInfo } from 'node:os';
import { CreateEmailIdentityCommand, type SESv2Client } from '@aws-sdk/client-sesv2';
import { scopeNames } from '../../shared/contract/scopes.ts';
import { defaultLanguage } from '../../shared/language/languages.ts';
import { now } from '../../shared/platform/clock.ts';
import type { DeploymentContext, OperatorActor } from '../../shared/services/context.ts';
import { readSituation, takeDomain } from '../../shared/services/domainHolding.ts';
import { createKey } from '../../shared/services/keys.ts';
import { createSignInLink as createLink } from '../../shared/services/operators/linkSignIn.ts';
import { createWorkspace, listWorkspaces } from '../../shared/services/workspaces/workspaces.ts';
import { putSenders } from '../../shared/store/workspace/workspaces.ts';

const domain = 'example.com';

/**
 * Creates a workspace that can send at once: a key with every scope, a verified domain and a default sender. An existing
 * one, whose file with the key was lost, gets another key.
 */
export async function seed(ses: SESv2Client): Promise<{ apiKey: string; workspaceId: string }> {
  const at = now();
  const operator = operatorAt(at);
  const development = { name: 'Development', plan: 'free' as const, language: defaultLanguage };
  const known = (await listWorkspaces(operator)).find(({ name, deleting }) => name === development.name && !deleting);
  const workspace = known ?? (await createWorkspace(operator, development));
  await Promise.all([
    ses.send(new CreateEmailIdentityCommand({ EmailIdentity: domain })).catch(ignoreExisting),
    takeDomain(workspace.id, await readSituation(domain), { claim: 'operator', verifiedAt: at, now: at }),
    putSenders(workspace.id, [{ email: `hello@${domain}`, name: 'Mailroom', default: true }], at),
  ]);
  const context = { ...operator, workspaceId: workspace.id };
  const { key } = await createKey(context, { name: 'Development', scopes: scopeNames });
  return { apiKey: key, workspaceId: workspace.id };
}

/** A link that signs its reader in to the console once. */
export async function createSignInLink(): Promise<string> {
  const operator = operatorAt(now());
  const request = { name: operator.actor.name, role: 'owner' as const, workspaceId: null };
  return (await createLink(operator, request)).url;
}

function operatorAt(at: Date): DeploymentContext & { readonly actor: OperatorActor } {
  const actor = {
    kind: 'operator',
    role: 'owner',
    entryPoint: 'command_line',
    name: userInfo().username,
    workspaceId: null,
  } as const;
  return { actor, language: defaultLanguage, now: at, requestId: 'start' };
}

function ignoreExisting(error: Error): void {
  if (error.name !== 'AlreadyExistsException') throw error;
}
