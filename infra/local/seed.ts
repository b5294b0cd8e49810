import { userInfo } from 'node:os';
import { CreateEmailIdentityCommand, type SESv2Client } from '@aws-sdk/client-sesv2';
import { scopeNames } from '../../shared/contract/scopes.ts';
import { defaultLanguage } from '../../shared/language/languages.ts';
import type { DeploymentContext, OperatorActor } from '../../shared/services/context.ts';
import { createKey } from '../../shared/services/keys/create.ts';
import { createSignIn } from '../../shared/services/operators/signIn.ts';
import { createWorkspace } from '../../shared/services/workspaces/create.ts';
import { listWorkspaces } from '../../shared/services/workspaces/list.ts';
import { putSenders } from '../../shared/store/workspace/senders.ts';
import { putDomain } from '../../shared/store/workspace/workspaces.ts';

const domain = 'example.com';

/**
 * A workspace that can send at once: a key with every scope, a verified domain and a default sender. Where the file with
 * the key was lost, the workspace is there already and gets another key.
 */
export async function seed(ses: SESv2Client): Promise<{ apiKey: string; workspaceId: string }> {
  const now = new Date();
  const operator = operatorAt(now);
  const wanted = { name: 'Development', plan: 'free' as const, language: defaultLanguage };
  const known = (await listWorkspaces(operator)).find(({ name }) => name === wanted.name);
  const workspace = known ?? (await createWorkspace(operator, wanted));
  await Promise.all([
    ses.send(new CreateEmailIdentityCommand({ EmailIdentity: domain })).catch(ignoreExisting),
    putDomain(workspace.id, domain, now, now),
    putSenders(workspace.id, [{ email: `hello@${domain}`, name: 'Mailroom', default: true }], now),
  ]);
  const context = { ...operator, workspaceId: workspace.id };
  const { key } = await createKey(context, { name: 'Development', scopes: scopeNames });
  return { apiKey: key, workspaceId: workspace.id };
}

/** A link that signs whoever reads the terminal in to the console. */
export async function createSignInLink(): Promise<string> {
  const operator = operatorAt(new Date());
  const wanted = { name: operator.actor.name, role: 'owner' as const, workspaceId: null };
  return (await createSignIn(operator, wanted)).url;
}

function operatorAt(now: Date): DeploymentContext & { readonly actor: OperatorActor } {
  const actor = {
    kind: 'operator',
    role: 'owner',
    door: 'command_line',
    name: userInfo().username,
    workspaceId: null,
  } as const;
  return { actor, language: defaultLanguage, now, requestId: 'start' };
}

function ignoreExisting(error: Error): void {
  if (error.name !== 'AlreadyExistsException') throw error;
}
