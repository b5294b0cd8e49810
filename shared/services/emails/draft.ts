import { type Mailbox, parseMailbox } from '../../domain/address/address.ts';
import { distinctAddresses } from '../../domain/sending/envelope.ts';
import { type Tracking, trackingOf, untracked } from '../../domain/sending/tracking.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { composeMime } from '../../email/mime/compose.ts';
import type { Mime } from '../../email/mime/mimeParts.ts';
import type { EmailContent } from '../../store/sending/email.ts';
import type { Standing } from '../../store/suppression/suppression.ts';
import { withLeaveLink } from '../preferences/link.ts';
import { checkDomain, checkKinds, checkMessageSize, checkSuppressions, checkSuspension } from './checks.ts';
import type { WholeEmail } from './completing/wholeEmail.ts';

/** What a request asks to send, whole and with its addresses read: nothing has to be looked up for it any more. */
export interface Draft {
  readonly body: WholeEmail;
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  /** Every recipient once, the blind ones too. */
  readonly addresses: readonly string[];
  /** What is kept of it. */
  readonly content: EmailContent;
}

export function draftOf(body: WholeEmail): Draft {
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
      ...(body.template && { template: body.template }),
    },
  };
}

/** What is sent, and how its readers are watched. */
export interface Composed {
  readonly mime: Mime;
  readonly tracking: Tracking;
}

/** The checks that need no reservation, and the message that is sent if it passes them; `standings` are its people's. */
export async function composeChecked(
  draft: Draft,
  workspace: Workspace,
  standings: readonly Standing[],
  isLaterCall: boolean,
): Promise<Composed> {
  checkDomain(draft.body.from, draft.from.address, workspace.domains);
  checkSuspension(workspace.suspension);
  checkSuppressions(
    standings.flatMap(({ suppressions }) => suppressions),
    isLaterCall,
  );
  checkKinds(draft.content.tags, workspace.kinds, standings);
  const { body } = draft;
  const isLinked = body.unsubscribe === true;
  const linked = isLinked
    ? { ...draft, body: await withLeaveLink(body, workspace.id, draft.addresses[0] ?? '') }
    : draft;
  const mime = await compose(linked);
  checkMessageSize(mime.length, draft.body.attachments ?? []);
  const isRefused = standings.some(({ preferences }) => preferences.isUntracked);
  return { mime, tracking: isRefused ? untracked : trackingOf(workspace, body.track) };
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

const list = (value: string | string[] | undefined): string[] => (value === undefined ? [] : [value].flat());

/** The request was validated: what does not parse here is a fault of ours. */
function mailbox(text: string): Mailbox {
  const result = parseMailbox(text);
  if (!result.ok) throw new Error(`A validated mailbox did not parse: ${result.problem}`);
  return result.mailbox;
}
