import { ValidationError } from '../../contract/errors.ts';
import { notFound } from '../../contract/notFound.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { getEmailRoute, listEmailsRoute } from '../../contract/routes/emailRecords.ts';
import { addressKey } from '../../domain/address.ts';
import { isId } from '../../domain/identifier.ts';
import { type EmailTrait, worstStatus } from '../../domain/sending/email.ts';
import { textsOf } from '../../language/text.ts';
import { config, keepsRecipients } from '../../platform/config.ts';
import { pageOfWholeEmails, readWholeEmail, wholeEmailsAt, wholePositions } from '../../store/archive/wholeEmails.ts';
import {
  type Email,
  type EmailContent,
  type EmailWithOutcomes,
  type ShownContent,
  shownContent,
} from '../../store/emails/email.ts';
import type { ListedEmail, ListedRange, ListPosition } from '../../store/emails/emailLists.ts';
import { type OutcomeWithStory, outcomeWithStoryOf, type StoryEvent } from '../../store/emails/outcomeEvents.ts';
import type { RecipientOutcome } from '../../store/emails/outcomes.ts';
import { getScheduled, type ScheduledEmail } from '../../store/emails/scheduledEmails.ts';
import type { Context } from '../context.ts';

type EmailDetail = Output<typeof getEmailRoute>;
type ListedMail = Output<typeof listEmailsRoute>['data'][number];
export type EmailSummary = Extract<ListedMail, { readonly object: 'email' }>;
export type EmailEvent = EmailDetail['events'][number];

/** An email with the outcome of each recipient. It exists once SES has accepted an envelope, or while it is scheduled. */
export async function getEmail(
  { workspaceId, now }: Context,
  { id }: Input<typeof getEmailRoute>,
): Promise<EmailDetail> {
  const sent = isId('email', id) ? await readWholeEmail(workspaceId, id, outcomeWithStoryOf, now) : null;
  if (sent?.messageIds.some(Boolean) || sent?.outcomes.length) return sentDetail(sent);
  const scheduled = isId('email', id) ? await getScheduled({ workspaceId, id }) : null;
  if (!scheduled) throw notFound('email');
  return scheduledDetail(scheduled);
}

/** Newest first, with any filter: of the table only the emails of the page are read, of the bucket a few files. */
export async function listEmails(
  { workspaceId, now }: Context,
  { recipient, status, tag, ...page }: Input<typeof listEmailsRoute>,
): Promise<{ readonly entries: readonly EmailSummary[]; readonly next: string | null }> {
  const filters = Object.entries({ recipient, status, tag }).flatMap(([kind, value]): EmailTrait[] =>
    value === undefined ? [] : [{ kind: kind as EmailTrait['kind'], value }],
  );
  const [trait] = filters;
  checkListExists(trait);
  const { entries, next } = await pageOfWholeEmails(workspaceId, { ...page, trait }, now);
  return { entries: entries.map(summaryOf), next };
}

function checkListExists(trait: EmailTrait | undefined): void {
  const setting = config('EMAIL_LIST');
  if (setting === 'none') throw new ValidationError([{ path: trait?.kind ?? '', text: texts.none }]);
  if (trait?.kind === 'recipient' && !keepsRecipients(setting)) {
    throw new ValidationError([{ path: 'recipient', text: texts.newest }]);
  }
  if (setting !== 'recipient-and-tag' && trait?.kind === 'tag') {
    throw new ValidationError([{ path: 'tag', text: texts.noTags }]);
  }
}

/** The positions of emails to one address, newest first; the list of campaign messages is merged with it. */
export function positionsTo(
  { workspaceId, now }: Pick<Context, 'workspaceId' | 'now'>,
  recipient: string,
  page: Omit<ListedRange, 'trait'>,
) {
  const trait: EmailTrait = { kind: 'recipient', value: recipient };
  checkListExists(trait);
  return wholePositions(workspaceId, { ...page, trait }, now);
}

/** The emails at such positions. */
export async function emailsOfPositions(
  { workspaceId, now }: Pick<Context, 'workspaceId' | 'now'>,
  positions: readonly ListPosition[],
): Promise<EmailSummary[]> {
  return (await wholeEmailsAt(workspaceId, positions, undefined, now)).map(summaryOf);
}

const texts = textsOf({
  none: {
    en: 'this deployment keeps no list of emails (its setting "emailList" is "none")',
    fr: 'ce déploiement ne tient pas de liste des e-mails (son réglage « emailList » vaut « none »)',
  },
  newest: {
    en: 'this deployment keeps no list by recipient (its setting "emailList" is "newest", and not "recipient")',
    fr: 'ce déploiement ne tient pas de liste par destinataire (son réglage « emailList » vaut « newest » et non « recipient »)',
  },
  noTags: {
    en: 'this deployment keeps no list by tag (its setting "emailList" is not "recipient-and-tag")',
    fr: 'ce déploiement ne tient pas de liste par étiquette (son réglage « emailList » ne vaut pas « recipient-and-tag »)',
  },
});

const summaryOf = (listed: ListedEmail): EmailSummary =>
  listed.kind === 'scheduled'
    ? scheduledSummary(listed.email)
    : sentSummary(listed.email, acceptedRecipients(listed.email));

/** `never`, and so a compiler error, when the schema of the response lacks a shown field. */
type Described<Shown, Response> = Exclude<keyof Shown, keyof Response> extends never ? Shown : never;

const contentInLists = (email: EmailContent): Described<ShownContent<'in lists'>, EmailSummary> =>
  shownContent(email, 'in lists');
const contentInDetails = (email: EmailContent): Described<ShownContent<'in details'>, EmailDetail> =>
  shownContent(email, 'in details');

type AcceptedRecipient = Pick<RecipientOutcome, 'email' | 'status' | 'updatedAt'>;

function sentSummary({ email }: EmailWithOutcomes, recipients: readonly AcceptedRecipient[]) {
  const updated = recipients.map(({ updatedAt }) => updatedAt).sort();
  return {
    id: email.id,
    object: 'email' as const,
    ...contentInLists(email),
    status: worstStatus(recipients.map(({ status }) => status)),
    ...(email.scheduledAt !== undefined && { scheduled_at: email.scheduledAt }),
    created_at: email.createdAt,
    updated_at: updated.at(-1) ?? email.scheduledAt ?? email.createdAt,
  };
}

function sentDetail(email: EmailWithOutcomes<OutcomeWithStory>): EmailDetail {
  const recipients = acceptedRecipients(email);
  const { created_at, updated_at, scheduled_at, ...fields } = sentSummary(email, recipients);
  return {
    ...fields,
    ...(scheduled_at && { scheduled_at }),
    recipients: recipients.map(({ email: address, status, updatedAt }) => ({
      email: address,
      status,
      updated_at: updatedAt,
    })),
    ...contentInDetails(email.email),
    created_at,
    updated_at,
    ...eventsOf(email, recipients),
  };
}

/** The recipients of accepted envelopes; their status is `sent` until an event reports another. */
function acceptedRecipients({ email, messageIds, outcomes }: EmailWithOutcomes): AcceptedRecipient[] {
  const known = new Map(outcomes.map((outcome) => [outcome.email, outcome]));
  return email.envelopes
    .flatMap((envelope, index) => envelope.map((address) => ({ address: addressKey(address), index })))
    .filter(({ address, index }) => messageIds[index] || known.has(address))
    .map(({ address }) => {
      const outcome = known.get(address);
      const hasStatus = outcome && outcome.status !== 'sent';
      return hasStatus ? outcome : { email: address, status: 'sent', updatedAt: email.scheduledAt ?? email.createdAt };
    });
}

/** The events of an email, oldest first: each recipient's acceptance by SES and what was reported since. */
function eventsOf(
  { email, outcomes }: EmailWithOutcomes<OutcomeWithStory>,
  recipients: readonly Pick<RecipientOutcome, 'email'>[],
): Pick<EmailDetail, 'events' | 'events_omitted'> {
  const accepted = recipients.map(
    ({ email: recipient }): EmailEvent => ({ type: 'accepted', recipient, at: email.scheduledAt ?? email.createdAt }),
  );
  const reported = outcomes.flatMap(recipientEvents);
  return {
    events: [
      ...scheduledEvent(email),
      ...accepted,
      ...reported.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at))),
    ],
    events_omitted: outcomes.reduce((sum, { story }) => sum + story.more, 0),
  };
}

const scheduledEvent = ({ scheduledAt, createdAt }: Pick<Email, 'scheduledAt' | 'createdAt'>): EmailEvent[] =>
  scheduledAt === undefined ? [] : [{ type: 'scheduled', recipient: null, at: createdAt, scheduled_at: scheduledAt }];

/** The reported events of one recipient. SES does not say which of several recipients opened or clicked: then null. */
export function recipientEvents({ email, story }: OutcomeWithStory): EmailEvent[] {
  return story.events.map((event) => emailEvent(event, email === '' ? null : email));
}

function emailEvent({ type, at, details, text }: StoryEvent, recipient: string | null): EmailEvent {
  switch (type) {
    case 'delivered':
      return { type, recipient, at, answer: details?.answer ?? null };
    case 'bounced': {
      const { type: kind = '', subtype = '', diagnostic = null } = details ?? {};
      return {
        type,
        recipient,
        at,
        ...(details && { bounce: { type: kind ?? '', subtype: subtype ?? '', diagnostic } }),
      };
    }
    case 'complained':
      return { type, recipient, at, ...(details && { complaint: { feedback_type: details.feedback_type ?? null } }) };
    case 'delays':
      return { type: 'delayed', recipient, at, reason: text };
    case 'opens':
      return { type: 'opened', recipient, at, proxied: text === 'proxied' };
    case 'clicks':
      return { type: 'clicked', recipient, at, url: text };
  }
}

/** A scheduled or canceled email, which has no recipients yet. */
function scheduledDetail(email: ScheduledEmail): EmailDetail {
  const { content, state, updatedAt, reason = 'requested' } = email;
  const { created_at, updated_at, ...fields } = scheduledSummary(email);
  const scheduled = scheduledEvent(email);
  const canceled = { type: 'canceled', recipient: null, at: updatedAt, reason } as const;
  return {
    ...fields,
    recipients: [],
    ...contentInDetails(content),
    created_at,
    updated_at,
    events: state === 'canceled' ? [...scheduled, canceled] : scheduled,
    events_omitted: 0,
  };
}

function scheduledSummary(email: ScheduledEmail): EmailSummary {
  const { id, content, state, scheduledAt, createdAt, updatedAt, reason = 'requested', providerCode } = email;
  const isCanceled = state === 'canceled';
  return {
    ...{ id, object: 'email', ...contentInLists(content) },
    status: isCanceled ? 'canceled' : 'scheduled',
    scheduled_at: scheduledAt,
    ...(isCanceled && { cancel_reason: reason, ...(providerCode && { provider_code: providerCode }) }),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
