import { ServiceError } from '../../contract/errors.ts';
import { domainOf } from '../../domain/address/address.ts';
import { text } from '../../language/text.ts';
import { deleteDomain } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { domainName } from './name.ts';

/**
 * Takes a domain from a workspace: nothing leaves from it any more. SES keeps it, since another workspace may send from
 * it too. Senders on it come first, or they would stay without a domain.
 */
export const removeDomain = operatorVerb(
  { action: 'domain.remove', needs: 'own', subject: ({ name }) => name },
  async (context: Context, input: { readonly name: string }) => {
    const domain = domainName(input.name);
    const { id, domains, senders } = await existingWorkspace(context.workspaceId);
    if (!domains.some((one) => one.domain === domain)) throw missing(domain);
    const left = domains.filter((one) => one.domain !== domain);
    const orphans = senders.filter(
      ({ email }) => isUnder(domainOf(email), domain) && !left.some((one) => isUnder(domainOf(email), one.domain)),
    );
    if (orphans.length > 0) throw hasSenders(domain, orphans.map(({ email }) => email).join(', '));
    await deleteDomain(id, domain);
    return { object: 'domain' as const, domain, deleted: true };
  },
);

const isUnder = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`);

const missing = (domain: string) =>
  new ServiceError('not_found', {
    text: text({
      en: `The domain "${domain}" was not added to this workspace.`,
      fr: `Le domaine « ${domain} » n’a pas été ajouté à cet espace.`,
    }),
  });

const hasSenders = (domain: string, senders: string) =>
  new ServiceError('conflict', {
    text: text({
      en: `"${domain}" still has senders, remove them first: ${senders}.`,
      fr: `« ${domain} » a encore des expéditeurs, retirez-les d’abord : ${senders}.`,
    }),
  });
