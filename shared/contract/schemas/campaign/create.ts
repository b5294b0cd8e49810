import * as z from 'zod';
import type { Block } from '../../../domain/campaign/content/block.ts';
import { readMergeFields } from '../../../domain/campaign/content/mergeField.ts';
import { type ContentProblem, readContent } from '../../../domain/campaign/content/readContent.ts';
import { blocksOfText } from '../../../domain/campaign/content/textContent.ts';
import { custom } from '../../../language/issue.ts';
import { textsOf } from '../../../language/text.ts';
import { describe } from '../../describe.ts';
import { optional } from '../../optional.ts';
import { mailboxText, singleLine } from '../message.ts';
import { track } from '../tracking.ts';
import { contentBlocks, contentText, maxContentCharacters } from './content.ts';

const texts = textsOf({
  both: {
    en: '"text" and "content" are both given: write the body as one of them',
    fr: '« text » et « content » sont donnés tous deux : écrivez le corps sous une seule forme',
  },
  none: {
    en: 'one of "text", "content" and "template" is required',
    fr: 'l’un de « text », « content » et « template » est obligatoire',
  },
  copied: {
    en: '"template" and a body are both given: begin with the one or with the other',
    fr: '« template » et un corps sont donnés tous deux : commencez par l’un ou par l’autre',
  },
  required: { en: 'is required', fr: 'est obligatoire' },
  blind: {
    en: 'cannot be what "track" switches off',
    fr: 'ne peut pas être ce que « track » désactive',
  },
  empty: { en: 'has no text to send', fr: 'n’a aucun texte à envoyer' },
  tooLong: {
    en: `must have at most ${maxContentCharacters} characters in all`,
    fr: `doit compter au plus ${maxContentCharacters} caractères en tout`,
  },
});

const fields = {
  name: describe(singleLine(1, 200), { en: 'Name, for the workspace only.', fr: 'Nom, pour l’espace seulement.' }, [
    'Autumn news',
  ]),
  subject: describe(
    singleLine(1, 998),
    { en: 'Subject; may hold merge fields.', fr: 'Objet ; peut contenir des champs de fusion.' },
    ['{{firstName|Hello}}, autumn is here'],
  ),
  preheader: describe(
    optional(singleLine(1, 200)),
    {
      en: 'What mail clients show behind the subject; may hold merge fields.',
      fr: 'Ce que les messageries affichent après l’objet ; peut contenir des champs de fusion.',
    },
    ['What we made for you'],
  ),
  from: describe(
    optional(mailboxText),
    {
      en: 'Sender, on a verified domain. The default sender of the workspace when left out.',
      fr: 'Expéditeur, sur un domaine vérifié. À défaut, l’expéditeur par défaut de l’espace.',
    },
    ['Acme <news@example.com>'],
  ),
  text: describe(
    optional(contentText),
    {
      en: 'The body as text: a blank line separates two paragraphs, a line beginning with `# ` is a heading.',
      fr: 'Le corps en texte : une ligne vide sépare deux paragraphes, une ligne commençant par `# ` est un titre.',
    },
    ['# Autumn is here\n\nHello {{firstName|there}}, [see what is new](https://example.com/new).'],
  ),
  content: describe(optional(contentBlocks), {
    en: 'The body as blocks, 1 to 200.',
    fr: 'Le corps en blocs, de 1 à 200.',
  }),
};

type Body = { readonly text?: string | undefined; readonly content?: readonly Block[] | undefined };

/** The blocks of a body, whichever way it was written. */
export const blocksOf = ({ text, content }: Body): readonly Block[] => content ?? blocksOfText(text ?? '');

type Written = Body & { readonly subject?: string | undefined; readonly preheader?: string | undefined };

/** Characters of every text in it. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return [...value].length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + charactersOf(part), 0);
}

/** Everything that is wrong with what a message says, each with its place. */
function problemsOf(body: Written): ContentProblem[] {
  const problems: ContentProblem[] = [];
  for (const name of ['subject', 'preheader'] as const) {
    for (const { text } of readMergeFields(body[name] ?? '').problems) problems.push({ path: [name], text });
  }
  if (body.text !== undefined && body.content !== undefined) {
    problems.push({ path: ['text'], text: texts.both }, { path: ['content'], text: texts.both });
  }
  const blocks = blocksOf(body);
  const where = body.content === undefined ? 'text' : 'content';
  if (body[where] !== undefined && blocks.length === 0) problems.push({ path: [where], text: texts.empty });
  if (charactersOf(body.content) > maxContentCharacters) problems.push({ path: ['content'], text: texts.tooLong });
  // What a text is divided into is not what its author sees: its problems are told by their line.
  for (const { path, text } of readContent(blocks).problems) {
    problems.push({ path: where === 'text' ? ['text'] : ['content', ...path], text });
  }
  return problems;
}

const variant = z
  .object({
    name: describe(optional(singleLine(1, 100)), { en: 'Name of the variant.', fr: 'Nom de la variante.' }, ['A']),
    subject: optional(fields.subject),
    preheader: fields.preheader,
    from: fields.from,
    text: fields.text,
    content: fields.content,
  })
  .superRefine((body, context) => {
    for (const { path, text } of problemsOf(body)) context.addIssue(custom(text, [...path]));
  });

const abTest = z.object({
  variants: describe(z.array(variant).min(2).max(4), {
    en: 'Two to four variants; what one leaves out it takes from the campaign.',
    fr: 'De deux à quatre variantes ; ce que l’une ne donne pas vient de la campagne.',
  }),
  test_share: describe(
    z.number().min(0.1).max(0.5),
    { en: 'Part of the list that gets a test message.', fr: 'Part de la liste qui reçoit un message de test.' },
    [0.2],
  ),
  decide_by: describe(
    z.enum(['opens', 'clicks']),
    { en: 'What the winner is chosen by.', fr: 'Ce qui désigne la gagnante.' },
    ['opens'],
  ),
  wait_hours: describe(
    z.int().min(1).max(72),
    {
      en: 'Hours from the last test message to the decision.',
      fr: 'Heures entre le dernier message de test et la décision.',
    },
    [4],
  ),
});

export const createCampaignRequest = z
  .object({
    ...fields,
    subject: optional(fields.subject),
    template: describe(
      optional(
        z.object({
          id: describe(
            z.string().min(1).max(100),
            { en: 'Identifier of a template with `content`.', fr: 'Identifiant d’un modèle avec `content`.' },
            ['tpl_01k9zq3v5c8r2m4n6p7s9t0wxy'],
          ),
        }),
      ),
      {
        en: 'Begins with a copy of this template: its body, and its subject and preheader unless they are given.',
        fr: 'Commence par une copie de ce modèle : son corps, et son objet et son aperçu sauf s’ils sont donnés.',
      },
    ),
    segment_id: describe(
      optional(z.string().min(1).max(100)),
      { en: 'Only people of this segment.', fr: 'Seulement les personnes de ce segment.' },
      ['seg_01k9zq3v5c8r2m4n6p7s9t0wxy'],
    ),
    tag: describe(
      optional(z.string().min(1).max(513)),
      {
        en: 'The kind of mail that it is, as the tag (`name:value`) of one that the workspace offers: whoever has left that kind gets nothing, with the reason `left_kind`.',
        fr: 'Le type d’e-mail qu’elle est, par l’étiquette (`nom:valeur`) d’un type que l’espace propose : qui l’a quitté ne reçoit rien, avec le motif `left_kind`.',
      },
      ['category:newsletter'],
    ),
    ab_test: describe(optional(abTest), {
      en: 'Variants of the message, tried on a part of the list; the best one goes to the others.',
      fr: 'Des variantes du message, essayées sur une part de la liste ; la meilleure va aux autres.',
    }),
    track,
  })
  .superRefine((body, context) => {
    const hasBody = body.text !== undefined || body.content !== undefined;
    if (!hasBody && !body.template) context.addIssue(custom(texts.none, ['text']));
    if (hasBody && body.template) context.addIssue(custom(texts.copied, ['template']));
    if (body.subject === undefined && !body.template) context.addIssue(custom(texts.required, ['subject']));
    for (const { path, text } of problemsOf(body)) context.addIssue(custom(text, [...path]));
    const decidesBy = body.ab_test?.decide_by;
    if (decidesBy && body.track?.[decidesBy] === false) context.addIssue(custom(texts.blind, ['ab_test', 'decide_by']));
  });

export type CreateCampaignRequest = z.output<typeof createCampaignRequest>;
export type CampaignVariantRequest = z.output<typeof variant>;
