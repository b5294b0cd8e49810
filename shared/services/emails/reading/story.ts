import type { Output } from '../../../contract/route.ts';
import type { getEmailRoute } from '../../../contract/routes/emailRecords.ts';
import type { EmailWithOutcomes } from '../../../store/sending/emails.ts';
import type { RecipientOutcome } from '../../../store/sending/outcomes.ts';
import type { OutcomeWithStory, StoryEvent } from '../../../store/sending/story.ts';

type Detail = Output<typeof getEmailRoute>;
export type ShownEvent = Detail['events'][number];

/** What happened to an email, oldest first: that each recipient's message was taken, and what was reported of it since. */
export function shownStory(
  { email, outcomes }: EmailWithOutcomes<OutcomeWithStory>,
  recipients: readonly Pick<RecipientOutcome, 'email'>[],
): Pick<Detail, 'events' | 'events_omitted'> {
  const accepted = recipients.map(
    ({ email: recipient }): ShownEvent => ({ type: 'accepted', recipient, at: email.scheduledAt ?? email.createdAt }),
  );
  const reported = outcomes.flatMap(shownEvents);
  return {
    events: [...accepted, ...reported.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))],
    events_omitted: outcomes.reduce((sum, { story }) => sum + story.more, 0),
  };
}

/** Of one recipient; without an address it is one of several. */
export function shownEvents({ email, story }: OutcomeWithStory): ShownEvent[] {
  return story.events.map((event) => shownEvent(event, email === '' ? null : email));
}

function shownEvent({ type, at, told, text }: StoryEvent, recipient: string | null): ShownEvent {
  switch (type) {
    case 'delivered':
      return { type, recipient, at, answer: told?.answer ?? null };
    case 'bounced': {
      const { type: kind = '', subtype = '', diagnostic = null } = told ?? {};
      return { type, recipient, at, ...(told && { bounce: { type: kind ?? '', subtype: subtype ?? '', diagnostic } }) };
    }
    case 'complained':
      return { type, recipient, at, ...(told && { complaint: { feedback_type: told.feedback_type ?? null } }) };
    case 'delays':
      return { type: 'delayed', recipient, at, reason: text };
    case 'opens':
      return { type: 'opened', recipient, at, proxied: text === 'proxied' };
    case 'clicks':
      return { type: 'clicked', recipient, at, url: text };
  }
}
