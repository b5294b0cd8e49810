import * as z from 'zod';
import { customIssue } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { addProblems, hasBody } from './campaignBody.ts';
import {
  abTest,
  bodyAndTemplate,
  createCampaignRequest,
  namesOfDraft,
  subjectField,
  templateToCopy,
} from './campaignRequest.ts';
import { always, describe, givenFields, isGiven } from './fields.ts';
import { contentBlocks, contentText } from './internal/campaignContent.ts';
import { mailboxText, maxReplyAddresses, oneOrMany, singleLine, trackingOptions } from './internal/message.ts';

/** A schema with the texts of another one. */
const like = <T extends z.ZodType>(schema: T, field: z.ZodType): T => schema.meta(field.meta() ?? {}) as T;

const { shape } = createCampaignRequest;

/** Describes the revision that a caller looked at. */
export const describedRevision = <T extends z.ZodType>(schema: T): T =>
  describe(
    schema,
    {
      en: 'The `revision` that you read: the call is refused if the campaign was edited since then.',
      fr: 'La `revision` que vous avez lue : l’appel est refusé si la campagne a été modifiée depuis.',
    },
    [0],
  );

/** The fields of a new campaign. One that is left out stays as it is; `null` clears one that may be empty. */
export const updateCampaignRequest = withNameRules(
  z
    .strictObject({
      name: like(singleLine(1, 200).optional(), shape.name),
      subject: like(singleLine(1, 998).optional(), subjectField),
      preheader: like(singleLine(1, 200).nullable().optional(), shape.preheader),
      from: like(mailboxText.nullable().optional(), shape.from),
      text: like(contentText.optional(), shape.text),
      content: like(contentBlocks.optional(), shape.content),
      html: like(contentText.optional(), shape.html),
      plain_text: like(contentText.nullable().optional(), shape.plain_text),
      template: like(templateToCopy.optional(), shape.template),
      segment_id: like(z.string().min(1).max(100).nullable().optional(), shape.segment_id),
      tag: like(z.string().min(1).max(513).nullable().optional(), shape.tag),
      topic_id: like(z.string().min(1).max(100).nullable().optional(), shape.topic_id),
      reply_to: like(oneOrMany(maxReplyAddresses).nullable().optional(), shape.reply_to),
      ab_test: like(abTest.nullable().optional(), shape.ab_test),
      track: like(trackingOptions.nullable().optional(), shape.track),
      revision: describedRevision(z.int().min(0).optional()),
    })
    .superRefine(
      (given, context) => {
        const body = givenFields(given);
        if (hasBody(body) && isGiven(body.template)) context.addIssue(customIssue(bodyAndTemplate, ['template']));
        addProblems(body, context);
      },
      { when: always },
    ),
  { unknown: 'refused', reserved: namesOfDraft },
);
