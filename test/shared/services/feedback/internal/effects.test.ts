import {
  type EventMeaning,
  eventMeanings,
  type FeedbackEventType,
} from '../../../../../shared/domain/sending/feedbackEvent.ts';
import {
  type CampaignSetNames,
  campaignSetNames,
} from '../../../../../shared/services/feedback/internal/campaignFeedback.ts';
import type { ByEventType } from '../../../../../shared/services/feedback/internal/effects.ts';
import { type EmailRecorders, emailRecorders } from '../../../../../shared/services/feedback/internal/emailFeedback.ts';

const types = [
  'accepted',
  'bounced',
  'clicked',
  'complained',
  'delayed',
  'delivered',
  'dropped',
  'opened',
  'undelivered',
] as const;

describe('a type of event', () => {
  it('has a meaning, and is handled for single emails and for campaigns', () => {
    for (const table of [eventMeanings, emailRecorders, campaignSetNames]) {
      expect(Object.keys(table).sort()).toEqual(types);
    }
  });

  /** `npm run types` fails when one of these lines compiles: then a new type could be forgotten. */
  it('does not compile while one of the tables lacks it', () => {
    const { delayed: _meaning, ...meanings } = eventMeanings;
    const { delayed: _recorder, ...recorders } = emailRecorders;
    const { delayed: _names, ...names } = campaignSetNames;
    // @ts-expect-error: what a delay means is not decided.
    const meaningsLack: { readonly [Type in FeedbackEventType]: EventMeaning<Type> } = meanings;
    // @ts-expect-error: single emails do not handle a delay.
    const recordersLack: EmailRecorders = recorders;
    // @ts-expect-error: campaigns do not handle a delay.
    const namesLack: CampaignSetNames = names;
    // @ts-expect-error: no table can leave a type out.
    const empty: ByEventType<[], void> = {};
    expect([meaningsLack, recordersLack, namesLack, empty].map((table) => 'delayed' in table)).not.toContain(true);
  });
});
