import { CreateEmailIdentityCommand, type SESv2Client } from '@aws-sdk/client-sesv2';
import { scopeNames } from '../../shared/contract/scopes.ts';
import { defaultLanguage } from '../../shared/language/languages.ts';
import { createKey } from '../../shared/services/keys/create.ts';
import { createWorkspace } from '../../shared/services/workspaces/create.ts';
import { putSenders } from '../../shared/store/workspace/senders.ts';
import { putDomain } from '../../shared/store/workspace/workspaces.ts';

const domain = 'example.com';

/** A workspace that can send at once: a key with every scope, a verified domain and a default sender. */
export async function seed(ses: SESv2Client): Promise<{ apiKey: string; workspaceId: string }> {
  const now = new Date();
  const workspace = await createWorkspace({ name: 'Development', plan: 'free', language: defaultLanguage }, now);
  await Promise.all([
    ses.send(new CreateEmailIdentityCommand({ EmailIdentity: domain })).catch(ignoreExisting),
    putDomain(workspace.id, domain, now, now),
    putSenders(workspace.id, [{ email: `hello@${domain}`, name: 'Mailroom', default: true }], now),
  ]);
  const { key } = await createKey({ workspaceId: workspace.id, name: 'Development', scopes: scopeNames }, now);
  return { apiKey: key, workspaceId: workspace.id };
}

function ignoreExisting(error: Error): void {
  if (error.name !== 'AlreadyExistsException') throw error;
}
