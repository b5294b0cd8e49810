import { ServiceError } from '../../contract/errors.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { type DomainIdentity, getDomainIdentity } from '../../email/identity.ts';
import { putDomain } from '../../store/workspace/workspaces.ts';
import { domainName } from './add.ts';

/** Asks SES whether mail may come from the domain, and keeps the answer, a lost verification included. */
export async function verifyDomain(
  workspace: Workspace,
  name: string,
  now: Date,
): Promise<{ domain: string; identity: DomainIdentity }> {
  const domain = domainName(name);
  const known = workspace.domains.find((one) => one.domain === domain);
  const identity = known && (await getDomainIdentity(domain));
  if (!identity) {
    throw new ServiceError('not_found', {
      text: {
        en: `The domain "${domain}" was not added to this workspace.`,
        fr: `Le domaine « ${domain} » n’a pas été ajouté à cet espace.`,
      },
    });
  }
  if (identity.verified !== known.verified) {
    await putDomain(workspace.id, domain, identity.verified ? now : null, now);
  }
  return { domain, identity };
}
