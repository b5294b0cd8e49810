import { ValidationError } from '../../contract/errors.ts';
import { toAsciiDomain } from '../../domain/address/domainName.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { type DnsRecord, type DomainIdentity, ensureDomainIdentity } from '../../email/identity.ts';
import type { Text } from '../../language/text.ts';
import { putDomain } from '../../store/workspace/workspaces.ts';

export interface AddedDomain {
  readonly domain: string;
  readonly identity: DomainIdentity;
  /** DKIM first, then a DMARC policy to start with. */
  readonly records: readonly DnsRecord[];
}

/** Registers a domain with SES and the workspace. Doing it again answers the same records and changes nothing. */
export async function addDomain(workspace: Workspace, name: string, now: Date): Promise<AddedDomain> {
  const domain = domainName(name);
  const identity = await ensureDomainIdentity(domain);
  const isVerified = workspace.domains.some((known) => known.domain === domain && known.verified);
  if (!isVerified || !identity.verified) await putDomain(workspace.id, domain, identity.verified ? now : null, now);
  return { domain, identity, records: [...identity.dkimRecords, dmarcRecord(domain)] };
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
