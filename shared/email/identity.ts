import {
  AlreadyExistsException,
  CreateEmailIdentityCommand,
  type DkimAttributes,
  GetEmailIdentityCommand,
  NotFoundException,
} from '@aws-sdk/client-sesv2';
import { provider } from './ses.ts';

/** A record to publish in the domain's DNS. */
export interface DnsRecord {
  readonly type: 'CNAME' | 'TXT';
  readonly name: string;
  readonly value: string;
}

/** A sending domain as SES knows it; `dkimStatus` is SES's own word (`PENDING`, `SUCCESS`, `FAILED` …). */
export interface DomainIdentity {
  readonly verified: boolean;
  readonly dkimStatus: string;
  readonly dkimRecords: readonly DnsRecord[];
}

/** Asks SES to sign for a domain (Easy DKIM). A domain that SES has already keeps its keys. */
export async function ensureDomainIdentity(domain: string): Promise<DomainIdentity> {
  try {
    const answer = await provider.send(new CreateEmailIdentityCommand({ EmailIdentity: domain }));
    return identityOf(domain, answer);
  } catch (error) {
    if (!(error instanceof AlreadyExistsException)) throw error;
    const existing = await getDomainIdentity(domain);
    if (!existing) throw error;
    return existing;
  }
}

/** What SES says of a domain now; null when it does not have it. */
export async function getDomainIdentity(domain: string): Promise<DomainIdentity | null> {
  try {
    return identityOf(domain, await provider.send(new GetEmailIdentityCommand({ EmailIdentity: domain })));
  } catch (error) {
    if (error instanceof NotFoundException) return null;
    throw error;
  }
}

function identityOf(
  domain: string,
  answer: { VerifiedForSendingStatus?: boolean | undefined; DkimAttributes?: DkimAttributes | undefined },
): DomainIdentity {
  const { Status, Tokens, SigningHostedZone } = answer.DkimAttributes ?? {};
  return {
    verified: answer.VerifiedForSendingStatus ?? false,
    dkimStatus: Status ?? 'NOT_STARTED',
    dkimRecords: dkimRecords(domain, Tokens ?? [], SigningHostedZone),
  };
}

/**
 * The CNAMEs of Easy DKIM. Newer regions sign from a zone of their own, which SES then names:
 * https://docs.aws.amazon.com/ses/latest/dg/send-email-authentication-dkim-easy.html
 */
function dkimRecords(domain: string, tokens: readonly string[], zone = 'dkim.amazonses.com'): DnsRecord[] {
  return tokens.map((token) => ({ type: 'CNAME', name: `${token}._domainkey.${domain}`, value: `${token}.${zone}` }));
}
