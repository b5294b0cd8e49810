import {
  AlreadyExistsException,
  CreateEmailIdentityCommand,
  GetEmailIdentityCommand,
  type GetEmailIdentityCommandOutput,
  NotFoundException,
  PutEmailIdentityFeedbackAttributesCommand,
  PutEmailIdentityMailFromAttributesCommand,
} from '@aws-sdk/client-sesv2';
import type { MailFrom, WantedRecord } from '../domain/dns/domainRecords.ts';
import { provider } from './sesClient.ts';

/** A sending domain as SES knows it; statuses are SES's own words (`PENDING`, `SUCCESS`, `FAILED` …). */
export interface DomainIdentity {
  readonly verified: boolean;
  readonly dkimStatus: string;
  readonly dkimRecords: readonly WantedRecord[];
  /** Bounces and complaints come as events; SES sends them by mail besides unless this is off. */
  readonly forwardsFeedback: boolean;
  readonly mailFrom: (MailFrom & { readonly status: string }) | null;
}

/** Asks SES to sign for a domain (Easy DKIM). A domain that SES has already keeps its keys and settings. */
export async function ensureDomainIdentity(domain: string): Promise<DomainIdentity> {
  try {
    await provider.send(new CreateEmailIdentityCommand({ EmailIdentity: domain }));
  } catch (error) {
    if (!(error instanceof AlreadyExistsException)) throw error;
  }
  const identity = await getDomainIdentity(domain);
  if (!identity) throw new Error(`SES does not have the domain ${domain} that it just took.`);
  return identity;
}

/** What SES says of a domain now; null when it does not have it. */
export async function getDomainIdentity(domain: string): Promise<DomainIdentity | null> {
  try {
    const answer = await provider.send(new GetEmailIdentityCommand({ EmailIdentity: domain }));
    return identityOf(domain, answer, await provider.config.region());
  } catch (error) {
    if (error instanceof NotFoundException) return null;
    throw error;
  }
}

/** No more mail about bounces and complaints, which arrive as events already. */
export async function stopForwardingFeedback(domain: string): Promise<void> {
  await provider.send(
    new PutEmailIdentityFeedbackAttributesCommand({ EmailIdentity: domain, EmailForwardingEnabled: false }),
  );
}

/** The domain that bounces go to, a subdomain of the identity; null for SES's own. Until its MX is there SES uses its own. */
export async function setMailFrom(domain: string, mailFrom: string | null): Promise<void> {
  await provider.send(
    new PutEmailIdentityMailFromAttributesCommand({
      EmailIdentity: domain,
      ...(mailFrom && { MailFromDomain: mailFrom }),
      BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
    }),
  );
}

function identityOf(domain: string, answer: GetEmailIdentityCommandOutput, region: string): DomainIdentity {
  const { Status, Tokens, SigningHostedZone } = answer.DkimAttributes ?? {};
  const { MailFromDomain, MailFromDomainStatus } = answer.MailFromAttributes ?? {};
  return {
    verified: answer.VerifiedForSendingStatus ?? false,
    dkimStatus: Status ?? 'NOT_STARTED',
    dkimRecords: dkimRecords(domain, Tokens ?? [], SigningHostedZone),
    forwardsFeedback: answer.FeedbackForwardingStatus ?? true,
    mailFrom: MailFromDomain ? { domain: MailFromDomain, region, status: MailFromDomainStatus ?? 'PENDING' } : null,
  };
}

/**
 * The CNAMEs of Easy DKIM. Newer regions sign from a zone of their own, which SES then names:
 * https://docs.aws.amazon.com/ses/latest/dg/send-email-authentication-dkim-easy.html
 */
function dkimRecords(domain: string, tokens: readonly string[], zone = 'dkim.amazonses.com'): WantedRecord[] {
  return tokens.map((token) => ({
    purpose: 'dkim',
    type: 'CNAME',
    name: `${token}._domainkey.${domain}`,
    value: `${token}.${zone}`,
  }));
}
