import * as z from 'zod';
import { ValidationError } from '../../contract/errors.ts';
import { moment, strictFields } from '../../contract/schemas/fields.ts';
import { textsOf } from '../../language/text.ts';
import { withOwnFields } from './mergeFields.ts';
import { anything } from './translation.ts';

const texts = textsOf({
  segments: {
    en: 'differs from "segment_id": give one of them',
    fr: 'diffère de « segment_id » : donnez l’un des deux',
  },
});

const id = z.string().min(1).max(100);
const written = z.string().max(400_000).optional();
/** `null` is refused where it could widen the target, move the time or replace the sender. */
const content = {
  name: z.string().min(1).max(200).optional(),
  segment_id: id.optional(),
  audience_id: id.optional(),
  from: z.string().min(1).max(1000).optional(),
  subject: z.string().min(1).max(4000).optional(),
  preview_text: z.string().max(4000).nullable().optional(),
  html: written,
  text: written,
  reply_to: anything,
  topic_id: anything,
};
/** What `broadcasts.update` takes. */
export const broadcastChange = strictFields(content);
/** What `broadcasts.create` takes. */
export const newBroadcast = strictFields({
  ...content,
  from: z.string().min(1).max(1000),
  subject: z.string().min(1).max(4000),
  send: z.boolean().optional(),
  scheduled_at: moment.optional(),
});

export type BroadcastContent = z.output<typeof broadcastChange>;

/** The client's `audience_id` is its older name of a segment. */
function segmentOf({ segment_id, audience_id }: BroadcastContent): string | undefined {
  if (segment_id !== undefined && audience_id !== undefined && segment_id !== audience_id) {
    throw new ValidationError([{ path: 'audience_id', text: texts.segments }]);
  }
  return segment_id ?? audience_id;
}

/**
 * The client's `text` is the plain-text part of HTML, of the call or of the draft. A text that has the link to unsubscribe
 * in its midst is written as HTML too: a campaign of text has that link at its end only.
 */
function bodyOf(html: string | undefined, text: string | undefined, isDraftHtml: boolean) {
  if (html !== undefined) return { html, plain_text: text };
  if (isDraftHtml) return { plain_text: text };
  return text?.includes(unsubscribeField) ? { html: htmlOf(text), plain_text: text } : { text };
}

const unsubscribeField = '{{unsubscribe_url}}';

/** Merge fields stay merge fields, so that braces are left alone. */
const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const htmlOf = (text: string): string =>
  text
    .split(/(?:\r?\n){2,}/)
    .map((paragraph) => `<p>${escaped(paragraph).replace(/\r?\n/g, '<br>')}</p>`)
    .join('\n')
    .replaceAll(unsubscribeField, `<a href="${unsubscribeField}">${unsubscribeField}</a>`);

/** The fields of the REST API. */
export function campaignContent(given: BroadcastContent, { isDraftHtml }: { readonly isDraftHtml: boolean }) {
  const read = (['subject', 'preview_text', 'html', 'text'] as const).map((name) => {
    const value = given[name];
    return typeof value === 'string' ? withOwnFields(name, value) : { text: value, issues: [] };
  });
  const issues = read.flatMap((one) => one.issues);
  if (issues.length > 0) throw new ValidationError(issues);
  const [subject, preheader, html, text] = read.map((one) => one.text);
  const { name, from, reply_to, topic_id } = given;
  return {
    name,
    from,
    reply_to,
    topic_id,
    subject,
    preheader,
    ...bodyOf(html ?? undefined, text ?? undefined, isDraftHtml),
    segment_id: segmentOf(given),
  };
}
