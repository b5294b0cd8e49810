import { ValidationError } from '../../contract/errors.ts';
import { toAsciiDomain } from '../../domain/address/domainName.ts';
import { type DnsRecord, ensureDomainIdentity } from '../../email/identity.ts';
import type { Text } from '../../language/text.ts';
import { putDomain } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { shownDomain } from './shown.ts';

/**
 * Registers a domain with SES and the workspace. Doing it again answers the same records and changes nothing. The
 * records: DKIM first, then a DMARC policy to start with.
 */
export async function addDomain(context: Context, { name }: { readonly name: string }) {
  requireOperator(context);
  const { now } = context;
  const domain = domainName(name);
  const workspace = await existingWorkspace(context.workspaceId);
  const identity = await ensureDomainIdentity(domain);
  const isVerified = workspace.domains.some((known) => known.domain === domain && known.verified);
  if (!isVerified || !identity.verified) await putDomain(workspace.id, domain, identity.verified ? now : null, now);
  return { ...shownDomain(domain, identity), records: [...identity.dkimRecords, dmarcRecord(domain)] };
}

/** The ASCII form of a sending domain; `validation_error` when it is none. */
export function domainName(name: string): string {
  const domain = toAsciiDomain(name.trim());
  if (domain?.includes('.')) return domain;
  const text: Text = {
    en: `"${name}" is not a domain name such as example.com`,
    fr: `« ${name} » n’est pas un nom de domaine comme example.com`,
  };
  throw new ValidationError([{ path: '', text }]);
}

/** Mailbox providers ask bulk senders for a DMARC policy; `p=none` watches and blocks nothing (RFC 7489). */
function dmarcRecord(domain: string): DnsRecord {
  return { type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none;' };
}
