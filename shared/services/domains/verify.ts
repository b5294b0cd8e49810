import { ServiceError } from '../../contract/errors.ts';
import { dmarcNames, type WantedRecord } from '../../domain/dns/domainRecords.ts';
import { checkDmarc, checkRecord, type RecordCheck } from '../../domain/dns/recordCheck.ts';
import { getDomainIdentity } from '../../email/identity.ts';
import { dnsRecords } from '../../outbound/dnsRecords.ts';
import { putDomain } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { domainName } from './name.ts';
import { shownDomain } from './shown.ts';
import { wantedRecords } from './wanted.ts';

export interface VerifyDomainInput {
  readonly name: string;
  /** Address of the DNS server to ask instead of the machine's own. */
  readonly resolver?: string | undefined;
}

/**
 * Asks SES whether mail may come from the domain, keeps the answer, a lost verification included, and looks every record
 * up in DNS, all at once.
 */
export async function verifyDomain(context: Context, { name, resolver }: VerifyDomainInput) {
  requireOperator(context, 'change');
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
  const ask = dnsRecords(resolver);
  const look = async (wanted: WantedRecord): Promise<RecordCheck> =>
    wanted.purpose === 'dmarc'
      ? checkDmarc(wanted, await Promise.all(dmarcNames(domain).map((one) => ask('TXT', one))))
      : checkRecord(wanted, await ask(wanted.type, wanted.name));
  const checks = await Promise.all(wantedRecords(domain, identity).map(look));
  const complete = identity.verified && checks.every(({ status }) => status === 'found');
  return { ...shownDomain(domain, identity), complete, checks };
}
