import { ServiceError } from '../../contract/errors.ts';
import { getDomainIdentity } from '../../email/identity.ts';
import { putDomain } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { domainName } from './add.ts';
import { type ShownDomain, shownDomain } from './shown.ts';

/** Asks SES whether mail may come from the domain, and keeps the answer, a lost verification included. */
export async function verifyDomain(context: Context, { name }: { readonly name: string }): Promise<ShownDomain> {
  requireOperator(context);
  const { now } = context;
  const domain = domainName(name);
  const workspace = await existingWorkspace(context.workspaceId);
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
  return shownDomain(domain, identity);
}
