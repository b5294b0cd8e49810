import {
  AlreadyExistsException,
  CreateEmailIdentityCommand,
  DeleteEmailIdentityCommand,
  GetEmailIdentityCommand,
  type GetEmailIdentityCommandOutput,
  NotFoundException,
  PutEmailIdentityFeedbackAttributesCommand,
  PutEmailIdentityMailFromAttributesCommand,
} from '@aws-sdk/client-sesv2';
import type { ExpectedRecord, MailFrom } from '../domain/dnsRecords.ts';
import { provider } from './ses.ts';

/** A sending domain at SES. Statuses are SES's own: `PENDING`, `SUCCESS`, `FAILED` … */
export interface DomainIdentity {
  readonly verified: boolean;
  readonly dkimStatus: string;
  readonly dkimRecords: readonly ExpectedRecord[];
  /** Whether SES reports bounces and complaints by mail, in addition to events. */
  readonly forwardsFeedback: boolean;
  readonly mailFrom: (MailFrom & { readonly status: string }) | null;
}

/** Registers a domain with SES for Easy DKIM. Idempotent: a known domain keeps its keys and settings. */
export async function ensureDomainIdentity(domain: string): Promise<DomainIdentity & { readonly isNew: boolean }> {
  let isNew = true;
  try {
    await provider.send(new CreateEmailIdentityCommand({ EmailIdentity: domain }));
  } catch (error) {
    isNew = false;
    if (!(error instanceof AlreadyExistsException)) throw error;
  }
  const identity = await getDomainIdentity(domain);
  if (!identity) throw new Error(`SES does not know the domain ${domain} that was just registered.`);
  return { ...identity, isNew };
}

/** Deletes a domain at SES, with its keys. Idempotent. */
export async function deleteDomainIdentity(domain: string): Promise<void> {
  try {
    await provider.send(new DeleteEmailIdentityCommand({ EmailIdentity: domain }));
  } catch (error) {
    if (!(error instanceof NotFoundException)) throw error;
  }
}

/** A domain as SES knows it now; null for a domain that it does not know. */
export async function getDomainIdentity(domain: string): Promise<DomainIdentity | null> {
  try {
    const answer = await provider.send(new GetEmailIdentityCommand({ EmailIdentity: domain }));
    return identityOf(domain, answer, await provider.config.region());
  } catch (error) {
    if (error instanceof NotFoundException) return null;
    throw error;
  }
}

/** Turns off reports of bounces and complaints by mail: they arrive as events. */
export async function stopForwardingFeedback(domain: string): Promise<void> {
  await provider.send(
    new PutEmailIdentityFeedbackAttributesCommand({ EmailIdentity: domain, EmailForwardingEnabled: false }),
  );
}

/** The domain that bounces go to: a subdomain, or null for SES's own, which SES also uses until the MX record exists. */
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
 * The CNAME records of Easy DKIM. SES names the hosted zone for regions that have their own:
 * https://docs.aws.amazon.com/ses/latest/dg/send-email-authentication-dkim-easy.html
 */
function dkimRecords(domain: string, tokens: readonly string[], zone = 'dkim.amazonses.com'): ExpectedRecord[] {
  return tokens.map((token) => ({
    purpose: 'dkim',
    type: 'CNAME',
    name: `${token}._domainkey.${domain}`,
    value: `${token}.${zone}`,
  }));
}
