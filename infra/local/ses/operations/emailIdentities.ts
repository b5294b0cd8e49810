import * as z from 'zod';
import type { SesContext } from '../context.ts';
import type { CallingAccount } from '../events/mailObject.ts';
import {
  createIdentity,
  deleteIdentity,
  dkimTokens,
  type Identity,
  identityOptions,
  listIdentities,
  putIdentityOptions,
  requireIdentity,
  requireMailFromDomain,
} from '../identities.ts';

export const createEmailIdentitySchema = z.looseObject({ EmailIdentity: z.string() });
export const listEmailIdentitiesSchema = z.looseObject({
  PageSize: z.int().min(1).max(1000).nullish(),
  NextToken: z.string().nullish(),
});

/** Without DNS an identity is verified at once, unless the fault `hold_verification` is set. */
export function createEmailIdentity(
  context: SesContext,
  { EmailIdentity }: z.infer<typeof createEmailIdentitySchema>,
  caller: CallingAccount,
) {
  const held = context.faults.state.hold_verification;
  const identity = createIdentity(context.database, EmailIdentity, held, context.now());
  return {
    IdentityType: identity.type,
    VerifiedForSendingStatus: identity.verificationStatus === 'SUCCESS',
    DkimAttributes: dkimAttributes(identity, caller),
  };
}

export function getEmailIdentity({ database }: SesContext, name: string, caller: CallingAccount) {
  const identity = requireIdentity(database, name);
  const { forwardsFeedback, mailFromDomain, behaviorOnMxFailure } = identityOptions(database, identity);
  return {
    IdentityType: identity.type,
    FeedbackForwardingStatus: forwardsFeedback,
    VerifiedForSendingStatus: identity.verificationStatus === 'SUCCESS',
    VerificationStatus: identity.verificationStatus,
    DkimAttributes: dkimAttributes(identity, caller),
    MailFromAttributes: {
      ...(mailFromDomain && { MailFromDomain: mailFromDomain, MailFromDomainStatus: identity.verificationStatus }),
      BehaviorOnMxFailure: behaviorOnMxFailure,
    },
    Policies: {},
    Tags: [],
  };
}

export const feedbackAttributesSchema = z.looseObject({ EmailForwardingEnabled: z.boolean().default(false) });

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutEmailIdentityFeedbackAttributes.html */
export function putFeedbackAttributes(
  { database }: SesContext,
  name: string,
  { EmailForwardingEnabled }: z.infer<typeof feedbackAttributesSchema>,
) {
  putIdentityOptions(database, name, { forwardsFeedback: EmailForwardingEnabled });
  return {};
}

export const mailFromAttributesSchema = z.looseObject({
  MailFromDomain: z.string().nullish(),
  BehaviorOnMxFailure: z.enum(['USE_DEFAULT_VALUE', 'REJECT_MESSAGE']).nullish(),
});

/** Without a domain SES's own is used again. https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutEmailIdentityMailFromAttributes.html */
export function putMailFromAttributes(
  { database }: SesContext,
  name: string,
  { MailFromDomain, BehaviorOnMxFailure }: z.infer<typeof mailFromAttributesSchema>,
) {
  const identity = requireIdentity(database, name);
  putIdentityOptions(database, name, {
    mailFromDomain: MailFromDomain ? requireMailFromDomain(identity, MailFromDomain) : null,
    ...(BehaviorOnMxFailure && { behaviorOnMxFailure: BehaviorOnMxFailure }),
  });
  return {};
}

export function deleteEmailIdentity({ database }: SesContext, name: string) {
  deleteIdentity(database, name);
  return {};
}

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListEmailIdentities.html */
export function listEmailIdentities(
  { database }: SesContext,
  { PageSize, NextToken }: z.infer<typeof listEmailIdentitiesSchema>,
) {
  const size = PageSize ?? 1000;
  const found = listIdentities(database, NextToken ?? '', size + 1);
  const page = found.slice(0, size);
  return {
    EmailIdentities: page.map((identity) => ({
      IdentityType: identity.type,
      IdentityName: identity.name,
      SendingEnabled: identity.verificationStatus === 'SUCCESS',
      VerificationStatus: identity.verificationStatus,
    })),
    ...(found.length > size && { NextToken: page.at(-1)?.name }),
  };
}

/** Easy DKIM is for domains; an address has no tokens. */
function dkimAttributes({ name, type, verificationStatus }: Identity, { region }: CallingAccount) {
  if (type === 'EMAIL_ADDRESS') return { SigningEnabled: false, Status: 'NOT_STARTED' };
  return {
    SigningEnabled: true,
    Status: verificationStatus,
    Tokens: dkimTokens(name),
    SigningHostedZone: region === 'us-east-1' ? 'dkim.amazonses.com' : `dkim.${region}.amazonses.com`,
    SigningAttributesOrigin: 'AWS_SES',
    NextSigningKeyLength: 'RSA_2048_BIT',
    CurrentSigningKeyLength: 'RSA_2048_BIT',
  };
}
