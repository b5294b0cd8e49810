import * as z from 'zod';
import { customIssue, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { always, describe, givenFields } from './fields.ts';
import { fieldsText, subscriberFields, subscriberTags, upsertSubscriberRequest } from './subscriber.ts';

const texts = textsOf({
  addedAndRemoved: {
    en: 'has a tag that "remove_tags" has too',
    fr: 'a une étiquette que « remove_tags » a aussi',
  },
});

const { shape } = upsertSubscriberRequest;

export const updateSubscriberRequest = withNameRules(
  z
    .strictObject({
      firstName: shape.firstName,
      lastName: shape.lastName,
      fields: describe(subscriberFields.optional(), fieldsText, [{ city: 'Paris' }]),
      add_tags: describe(
        subscriberTags.optional(),
        {
          en: 'Tags that the person gets, beside those they have; 50 in all at most.',
          fr: 'Étiquettes que la personne reçoit, en plus des siennes ; 50 en tout au plus.',
        },
        [['vip']],
      ),
      remove_tags: describe(
        subscriberTags.optional(),
        { en: 'Tags that the person loses.', fr: 'Étiquettes retirées.' },
        [['trial']],
      ),
    })
    .superRefine(
      (given, context) => {
        const { add_tags, remove_tags } = givenFields(given);
        const removed = new Set(Array.isArray(remove_tags) ? remove_tags : []);
        const both = Array.isArray(add_tags) && add_tags.some((tag) => removed.has(tag));
        if (both) context.addIssue(customIssue(texts.addedAndRemoved, ['add_tags']));
      },
      { when: always },
    ),
  { unknown: 'refused' },
);
