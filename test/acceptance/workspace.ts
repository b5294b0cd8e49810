import { randomUUID } from 'node:crypto';
import type { Scope } from '../../shared/contract/scopes.ts';
import type { PlanName } from '../../shared/domain/sending/quota.ts';
import type { Language } from '../../shared/language/languages.ts';
import { operatorContext } from '../shared/services/context.ts';
import type { TestService } from './service.ts';

export interface TestWorkspace {
  readonly workspaceId: string;
  readonly apiKey: string;
  readonly domain: string;
}

/**
 * Creates a workspace in a running service, with a verified domain, a default sender and a key, so that tests share one
 * service without sharing data. Uses the project's own services on the service's table.
 */
export async function newWorkspace(
  service: TestService,
  options: {
    plan?: PlanName;
    scopes?: readonly Scope[];
    language?: Language;
    sender?: boolean;
    /** A domain that SES has already, such as that of a new service's workspace. */
    domain?: string;
  } = {},
): Promise<TestWorkspace> {
  Object.assign(process.env, service.environment);
  const [{ createWorkspace }, { createKey }, { putDomain }, { putSenders }, { scopeNames }, ses] = await Promise.all([
    import('../../shared/services/workspaces/workspaces.ts'),
    import('../../shared/services/keys.ts'),
    import('../../shared/store/workspace/workspaces.ts'),
    import('../../shared/store/workspace/workspaces.ts'),
    import('../../shared/contract/scopes.ts'),
    import('@aws-sdk/client-sesv2'),
  ]);
  const now = new Date();
  const { plan = 'growth', language = 'en', scopes = scopeNames } = options;
  const domain = options.domain ?? `${randomUUID().slice(0, 8)}.example`;
  const { id } = await createWorkspace(operatorContext(), { name: 'Test', plan, language });
  if (!options.domain) {
    const client = new ses.SESv2Client({ endpoint: service.sesEndpoint });
    await client.send(new ses.CreateEmailIdentityCommand({ EmailIdentity: domain }));
    client.destroy();
  }
  await putDomain(id, domain, now, now);
  if (options.sender !== false) await putSenders(id, [{ email: `hello@${domain}`, name: 'Test', default: true }], now);
  const { key } = await createKey(operatorContext(id), { name: 'Test', scopes });
  return { workspaceId: id, apiKey: key, domain };
}
