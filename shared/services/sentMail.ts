import type { Input, Output, Result } from '../contract/route.ts';
import type { listEmailsRoute } from '../contract/routes/emailRecords.ts';
import { inParallel } from '../platform/parallel.ts';
import { type ListedCampaign, pageOfFrozen } from '../store/campaign/campaigns.ts';
import type { ListedRange, ListPosition } from '../store/emails/emailLists.ts';
import { findRecipient } from './campaigns/findRecipient.ts';
import type { Actor, Context } from './context.ts';
import { type EmailSummary, emailsOfPositions, listEmails, positionsTo } from './emails/readEmails.ts';

/** An email, or a campaign's message to one person. */
export type SentMail = Output<typeof listEmailsRoute>['data'][number];
export type CampaignMail = Extract<SentMail, { readonly object: 'campaign_recipient' }>;

/** Emails, newest first; with `recipient`, all that one person was sent, by campaigns too. */
export async function listSentMail(
  context: Context,
  input: Input<typeof listEmailsRoute>,
): Promise<Result<typeof listEmailsRoute>> {
  const { recipient, status: _status, tag: _tag, ...page } = input;
  if (recipient === undefined || !mayReadCampaigns(context.actor)) return listEmails(context, input);
  return mailOf(context, recipient, page);
}

/** Messages of campaigns reveal campaigns and subscribers, so these scopes are needed too. */
const neededScopes = ['campaigns:read', 'subscribers:read'] as const;
const mayReadCampaigns = (actor: Actor): boolean =>
  actor.kind !== 'key' || neededScopes.every((scope) => actor.scopes.includes(scope));

/** Limits the campaigns per page, so that its cost is limited. */
const campaignsOfPage = 20;
const campaignsAtOnce = 5;

/** A position in the merged list: an email, or a campaign that may have been sent to the person. */
type MailPosition =
  | { readonly kind: 'email'; readonly at: ListPosition; readonly position: string }
  | { readonly kind: 'campaign'; readonly at: ListedCampaign; readonly position: string };

/** Merges both lists by time and reads them until the page is full. */
async function mailOf(
  context: Context,
  recipient: string,
  page: Omit<ListedRange, 'trait'>,
): Promise<{ readonly entries: SentMail[]; readonly next: string | null }> {
  const [emails, campaigns] = await Promise.all([
    positionsTo(context, recipient, page),
    pageOfFrozen(context.workspaceId, { ...page, limit: campaignsOfPage }),
  ]);
  const ends = [emails.next, campaigns.next].filter((end) => end !== null);
  // Below the end of the shorter page, the other list's entries are not known yet.
  const bound = ends.sort().at(-1) ?? '';
  const places = merged(emails.entries, campaigns.entries).filter(({ position }) => position >= bound);
  const looked = await inParallel(campaignsAtOnce, places, async (place) =>
    place.kind === 'email' ? place : { ...place, mail: await messageOf(place.at, recipient) },
  );
  const found = looked.filter((place) => place.kind === 'email' || place.mail !== null);
  const shown = found.slice(0, page.limit);
  const positions = shown.flatMap((place) => (place.kind === 'email' ? [place.at] : []));
  const summaries = new Map((await emailsOfPositions(context, positions)).map((email) => [email.id, email]));
  const entries = shown.flatMap((place): SentMail[] => {
    const mail: EmailSummary | CampaignMail | null | undefined =
      place.kind === 'email' ? summaries.get(place.at.id) : place.mail;
    return mail ? [mail] : [];
  });
  if (found.length > shown.length) return { entries, next: shown.at(-1)?.position ?? null };
  return { entries, next: bound || null };
}

/** Newest first. */
function merged(emails: readonly ListPosition[], campaigns: readonly ListedCampaign[]): MailPosition[] {
  const all: MailPosition[] = [
    ...emails.map((at): MailPosition => ({ kind: 'email', at, position: at.position })),
    ...campaigns.map((at): MailPosition => ({ kind: 'campaign', at, position: at.position })),
  ];
  return all.sort((one, other) => (one.position < other.position ? 1 : -1));
}

async function messageOf({ campaign }: ListedCampaign, recipient: string): Promise<CampaignMail | null> {
  const person = await findRecipient(campaign, recipient);
  const { id, name, from, subject, freeze } = campaign;
  return (
    person && {
      ...{ object: 'campaign_recipient', campaign_id: id, name, from, subject, email: person.email },
      ...{ outcome: person.outcome, reason: person.reason, delivered: person.delivered, opened: person.opened },
      ...{ clicked: person.clicked, bounced: person.bounced, complained: person.complained },
      ...{ unsubscribed: person.unsubscribed, created_at: freeze.at },
    }
  );
}
