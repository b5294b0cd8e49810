import * as z from 'zod';
import { alignments, type Block, headingLevels } from '../../domain/content/block.ts';
import { type Issue, issuesOf } from '../errors.ts';
import { createCampaignRequest } from './campaignRequest.ts';
import { maxContentCharacters } from './internal/campaignContent.ts';
import { mailboxText, maxReplyAddresses, singleLine } from './internal/message.ts';

/*
 * A draft in the editor: it has the shape of a campaign, but texts may be empty and links incomplete. `problemsOfDraft`
 * reports what is missing as `POST /campaigns` would, and a send refuses it.
 */

const inline = z.string().max(maxContentCharacters);
const address = z.string().max(4000);

const align = z.enum(alignments).optional();
const color = z.string().max(20).optional();
const tint = { align, color, background: color };
const label = z.string().max(300);
const picture = { src: address, alt: z.string().max(1000) };

const simpleBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('heading'), level: z.literal(headingLevels), text: inline, ...tint }),
  z.object({ type: z.literal('paragraph'), text: inline, ...tint }),
  z.object({
    type: z.literal('image'),
    ...picture,
    href: address.optional(),
    width: z.int().min(1).max(1200).optional(),
    align,
  }),
  z.object({ type: z.literal('button'), label, href: address, align, background: color }),
  z.object({ type: z.literal('divider') }),
  z.object({ type: z.literal('list'), items: z.array(inline).max(200), ordered: z.boolean().optional(), ...tint }),
  z.object({ type: z.literal('spacer'), height: z.int().min(0).max(1000) }),
  z.object({ type: z.literal('social'), links: z.array(address).max(200), align }),
  z.object({ type: z.literal('quote'), text: inline, by: label.optional(), ...tint }),
  z.object({ type: z.literal('code'), text: inline }),
  z.object({ type: z.literal('html'), html: inline }),
  z.object({ type: z.literal('menu'), items: z.array(z.object({ label, href: address })).max(200), align }),
  z.object({ type: z.literal('video'), ...picture, href: address }),
  z.object({
    type: z.literal('product'),
    ...picture,
    title: label,
    text: inline.optional(),
    label,
    href: address,
  }),
]);

const columns = z.object({ type: z.literal('columns'), columns: z.array(z.array(simpleBlock).max(200)).min(2).max(3) });

const blocks = z.array(z.discriminatedUnion('type', [...simpleBlock.options, columns])).max(200);

const variant = z.object({
  name: singleLine(0, 100).nullable(),
  subject: singleLine(0, 998),
  preheader: singleLine(0, 200).nullable(),
  from: mailboxText,
  blocks,
  text: inline.optional(),
  html: inline.optional(),
  plainText: inline.nullish(),
});

export const campaignDraft = z.object({
  name: singleLine(1, 200),
  segmentId: z.string().min(1).max(100).nullable(),
  /** Tag of the topic; null for none. */
  tag: z.string().min(1).max(513).nullable(),
  /** Where answers go; null for the sender. */
  replyTo: z.array(mailboxText).min(1).max(maxReplyAddresses).nullable(),
  track: z.object({ opens: z.boolean().optional(), clicks: z.boolean().optional() }),
  /** The first variant is the campaign itself; more than one make an A/B test. */
  variants: z.array(variant).min(1).max(4),
  test: z
    .object({
      share: z.number().min(0.1).max(0.5),
      decideBy: z.enum(['opens', 'clicks']),
      waitHours: z.int().min(1).max(72),
    })
    .nullable(),
});

type CampaignDraft = z.output<typeof campaignDraft>;

type DraftVariant = Omit<CampaignDraft['variants'][number], 'blocks'> & { readonly blocks: readonly Block[] };

/** A draft whose blocks have the types of the domain. */
export type WrittenDraft = Omit<CampaignDraft, 'variants' | 'replyTo'> & {
  readonly variants: readonly DraftVariant[];
  readonly replyTo: readonly string[] | null;
};

/** The issues for which `POST /campaigns` would refuse the draft. */
export function problemsOfDraft({ name, segmentId, tag, replyTo, track, variants, test }: WrittenDraft): Issue[] {
  const [first, ...others] = variants;
  if (!first) return [];
  const request = {
    ...requestOf(first),
    name,
    segment_id: segmentId,
    tag,
    reply_to: replyTo,
    track,
    ...(others.length > 0 &&
      test && {
        ab_test: {
          variants: variants.map((one) => ({ name: one.name || null, ...requestOf(one) })),
          test_share: test.share,
          decide_by: test.decideBy,
          wait_hours: test.waitHours,
        },
      }),
  };
  const parsed = createCampaignRequest.safeParse(request, { reportInput: true });
  const issues = parsed.success ? [] : issuesOf(parsed.error);
  // The first variant is the campaign itself, whose issues are already reported.
  return issues.filter(({ path }) => !path.startsWith('ab_test.variants[0].'));
}

const requestOf = ({ subject, preheader, from, blocks, text, html, plainText }: DraftVariant) => ({
  subject,
  preheader: preheader || null,
  from,
  ...(html !== undefined ? { html, plain_text: plainText } : text !== undefined ? { text } : { content: blocks }),
});
