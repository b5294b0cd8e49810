import type { Output } from '../../../contract/route.ts';
import type { sendEmailRoute } from '../../../contract/routes/emails.ts';
import { addressKey, type Mailbox, readMailbox } from '../../../domain/address.ts';
import {
  allowedTracking,
  distinctAddresses,
  type Tracking,
  trackingOf,
  withinAllowed,
} from '../../../domain/sending/email.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import { composeMime } from '../../../email/composeMime.ts';
import type { Mime } from '../../../email/mime.ts';
import type { EmailContent } from '../../../store/emails/email.ts';
import { findRecipientStates, type RecipientState } from '../../../store/person/suppressions.ts';
import { withUnsubscribeLink } from '../../links.ts';
import {
  checkDomain,
  checkKinds,
  checkMessageSize,
  checkSuppressions,
  checkSuspension,
  RecipientCheck,
} from '../checks.ts';
import type { CompleteEmail } from './completeEmail.ts';

/** A complete email with its addresses parsed. */
export interface Draft {
  readonly body: CompleteEmail;
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  /** Every recipient once, Bcc included. */
  readonly addresses: readonly string[];
  /** What is stored. */
  readonly content: EmailContent;
}

export function draftOf(body: CompleteEmail): Draft {
  const [to, cc, bcc] = [list(body.to), list(body.cc), list(body.bcc)];
  const replyTo = list(body.reply_to ?? body.replyTo);
  const mailboxes = { to: to.map(mailbox), cc: cc.map(mailbox), replyTo: replyTo.map(mailbox) };
  return {
    body,
    from: mailbox(body.from),
    ...mailboxes,
    addresses: distinctAddresses([...mailboxes.to, ...mailboxes.cc, ...bcc.map(mailbox)].map(({ address }) => address)),
    content: {
      from: body.from,
      to,
      cc,
      bcc,
      replyTo,
      subject: body.subject,
      tags: body.tags ?? [],
      template: body.template,
    } satisfies Record<keyof EmailContent, unknown>,
  };
}

const list = (value: string | string[] | undefined): string[] => (value === undefined ? [] : [value].flat());

/** The request was validated, so this cannot fail. */
function mailbox(text: string): Mailbox {
  const result = readMailbox(text);
  if (!result.ok) throw new Error(`A validated mailbox did not parse: ${result.problem}`);
  return result.mailbox;
}

export interface ComposedEmail {
  readonly mime: Mime;
  readonly tracking: Tracking;
  readonly recipientCheck: RecipientCheck;
}

interface CheckOptions {
  /** An earlier call under the same Idempotency-Key may have sent a part. */
  readonly isLaterCall: boolean;
  /** Milliseconds since the recipients were requested. */
  readonly age: () => number;
  /** Throws when the message must not go out any more; asked whenever the recipients are read again. */
  readonly isWanted?: () => Promise<void>;
}

/** Checks all rules but the quota and composes the message. */
export async function composeChecked(
  draft: Draft,
  workspace: Workspace,
  recipients: readonly RecipientState[],
  { isLaterCall, age, isWanted }: CheckOptions,
): Promise<ComposedEmail> {
  const { body } = draft;
  checkDomain(body.from, draft.from.address, workspace.domains);
  checkSuspension(workspace.suspension);
  const check = (states: readonly RecipientState[]) => {
    checkSuppressions(
      states.flatMap(({ suppressions }) => suppressions),
      isLaterCall,
    );
    checkKinds(draft.content.tags, workspace.kinds, states);
    return allowedTracking(states.map(({ preferences }) => preferences));
  };
  const allowed = check(recipients);
  const recipientCheck = new RecipientCheck(age, async () => {
    const [states] = await Promise.all([
      findRecipientStates(workspace.id, draft.addresses.map(addressKey)),
      isWanted?.(),
    ]);
    return check(states);
  });
  const final = body.unsubscribe
    ? { ...draft, body: await withUnsubscribeLink(body, workspace.id, draft.addresses[0] ?? '') }
    : draft;
  const mime = await compose(final);
  checkMessageSize(mime.length, body.attachments ?? []);
  return { mime, recipientCheck, tracking: withinAllowed(trackingOf(workspace, body.track), allowed) };
}

const compose = ({ body, from, to, cc, replyTo }: Draft): Promise<Mime> =>
  composeMime({
    from,
    to,
    cc,
    replyTo,
    subject: body.subject,
    html: body.html,
    text: body.text,
    headers: body.headers ?? {},
    unsubscribeUrl: body.unsubscribe_url,
    attachments: body.attachments ?? [],
  });

/** The result of `POST /emails`. A replay is built the same way, so that both are equal. */
export function sentEmailOf(
  id: string,
  email: Pick<CompleteEmail, 'from' | 'to' | 'subject'>,
  createdAt: string,
): Output<typeof sendEmailRoute> {
  return {
    id,
    object: 'email',
    from: email.from,
    to: [email.to].flat(),
    subject: email.subject,
    created_at: createdAt,
  };
}
