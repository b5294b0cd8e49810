import * as z from 'zod';
import { customIssue, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { addLoneText, addProblems, hasBody } from './campaignBody.ts';
import { always, describe, givenFields, givenText, isGiven, named, optional, strictFields } from './fields.ts';
import { contentBlocks, contentText } from './internal/campaignContent.ts';
import { mailboxText, maxReplyAddresses, oneOrMany, singleLine, track } from './internal/message.ts';
import { namesOfTarget, namesOfTime } from './internal/reservedNames.ts';

const texts = textsOf({
  none: {
    en: 'one of "text", "content", "html" and "template" is required',
    fr: 'l’un de « text », « content », « html » et « template » est obligatoire',
  },
  copied: {
    en: '"template" and a body are both given: use only one of them',
    fr: '« template » et un corps sont donnés tous les deux : n’en utilisez qu’un',
  },
  required: { en: 'is required', fr: 'est obligatoire' },
  blind: {
    en: 'needs the tracking that "track" turns off',
    fr: 'demande le suivi que « track » désactive',
  },
});

const fields = {
  name: describe(
    singleLine(1, 200),
    { en: 'Name; recipients do not see it.', fr: 'Nom ; les destinataires ne le voient pas.' },
    ['Autumn news'],
  ),
  subject: describe(
    singleLine(1, 998),
    { en: 'Subject; may contain merge fields.', fr: 'Objet ; peut contenir des champs de fusion.' },
    ['{{firstName|Hello}}, autumn is here'],
  ),
  preheader: describe(
    optional(singleLine(1, 200)),
    {
      en: 'Preview text that mail clients show after the subject; may contain merge fields.',
      fr: 'Texte d’aperçu que les messageries affichent après l’objet ; peut contenir des champs de fusion.',
    },
    ['What we made for you'],
  ),
  from: describe(
    optional(mailboxText),
    {
      en: 'Sender, on a verified domain. Default: the default sender of the workspace.',
      fr: 'Expéditeur, sur un domaine vérifié. Par défaut : l’expéditeur par défaut de l’espace.',
    },
    ['Acme <news@example.com>'],
  ),
  text: describe(
    optional(contentText),
    {
      en: 'The body as Markdown: headings, lists, quotes, images, code, dividers, links. A line break is kept.',
      fr: 'Le corps en Markdown : titres, listes, citations, images, code, filets, liens. Un saut de ligne est conservé.',
    },
    ['# Autumn is here\n\nHello {{firstName|there}}, [see what is new](https://example.com/new).'],
  ),
  content: describe(
    optional(contentBlocks),
    {
      en: 'The body as blocks. Most take `align`, `color`, `background`.',
      fr: 'Le corps en blocs. La plupart ont `align`, `color`, `background`.',
    },
    [
      [
        { type: 'heading', level: 1, text: 'Autumn is here' },
        { type: 'button', label: 'See what is new', href: 'https://example.com/new' },
      ],
    ],
  ),
  html: describe(
    optional(contentText),
    {
      en: 'The body as HTML. Without `{{unsubscribe_url}}`, a link to unsubscribe is added.',
      fr: 'Le corps en HTML. Sans `{{unsubscribe_url}}`, un lien de désabonnement est ajouté.',
    },
    ['<p>Hello {{firstName|there}}</p>'],
  ),
  plain_text: describe(
    optional(contentText),
    {
      en: 'Text part of `html`. Default: made from it.',
      fr: 'Partie texte de `html`. Par défaut : tirée de lui.',
    },
    ['Hello'],
  ),
};

const variant = named(
  'AbTestVariantRequest',
  strictFields({
    name: describe(optional(singleLine(1, 100)), { en: 'Name of the variant.', fr: 'Nom de la variante.' }, ['A']),
    subject: optional(fields.subject),
    preheader: fields.preheader,
    from: fields.from,
    text: fields.text,
    content: fields.content,
    html: fields.html,
    plain_text: fields.plain_text,
  })
    .superRefine(addProblems, { when: always })
    .superRefine(addLoneText, { when: always }),
);

export const abTestCriterion = named('AbTestCriterion', z.enum(['opens', 'clicks']));

export const abTest = named(
  'AbTestRequest',
  strictFields({
    variants: describe(
      z.array(variant).min(2).max(4),
      {
        en: 'Two to four variants. A field that a variant leaves out is taken from the campaign.',
        fr: 'De deux à quatre variantes. Un champ absent d’une variante est repris de la campagne.',
      },
      [[{ name: 'A' }, { name: 'B', subject: '{{firstName|Hello}}, see what is new' }]],
    ),
    test_share: describe(
      z.number().min(0.1).max(0.5),
      {
        en: 'Share of the recipients who get a test message.',
        fr: 'Part des destinataires qui reçoivent un message de test.',
      },
      [0.2],
    ),
    decide_by: describe(abTestCriterion, { en: 'How the winner is chosen.', fr: 'Critère de choix de la gagnante.' }, [
      'opens',
    ]),
    wait_hours: describe(
      z.int().min(1).max(72),
      {
        en: 'Hours from the last test message to the decision.',
        fr: 'Heures entre le dernier message de test et la décision.',
      },
      [4],
    ),
  }),
);

export const templateToCopy = named(
  'TemplateToCopy',
  strictFields({
    id: describe(
      z.string().min(1).max(100),
      { en: 'Identifier of a template with `content`.', fr: 'Identifiant d’un modèle avec `content`.' },
      ['tpl_01k9zq3v5c8r2m4n6p7s9t0wxy'],
    ),
  }),
);

export const { subject: subjectField } = fields;

export const { copied: bodyAndTemplate } = texts;

/** Names of the body of a draft that callers may mean for a field that it has, or for a call of its own. */
export const namesOfDraft = [namesOfTime, namesOfTarget];

export const createCampaignRequest = withNameRules(
  z
    .strictObject({
      ...fields,
      subject: optional(fields.subject),
      template: describe(optional(templateToCopy), {
        en: 'Copies this template: its body, and its subject and preheader unless they are given.',
        fr: 'Copie ce modèle : son corps, ainsi que son objet et son texte d’aperçu s’ils ne sont pas donnés.',
      }),
      segment_id: describe(
        optional(z.string().min(1).max(100)),
        { en: 'Only people in this segment.', fr: 'Seulement les personnes de ce segment.' },
        ['seg_01k9zq3v5c8r2m4n6p7s9t0wxy'],
      ),
      tag: describe(
        optional(z.string().min(1).max(513)),
        {
          en: 'Topic of the campaign, by its tag (`name:value`). People who have left it are excluded as `unsubscribed`.',
          fr: 'Type d’e-mail de la campagne, par son étiquette (`nom:valeur`). Les personnes qui l’ont quitté sont exclues avec le motif `unsubscribed`.',
        },
        ['category:newsletter'],
      ),
      topic_id: describe(
        optional(z.string().min(1).max(100)),
        {
          en: 'The same topic, by its `id`.',
          fr: 'Le même type d’e-mail, par son `id`.',
        },
        ['top_01k9zq3v5c8r2m4n6p7s9t0wxy'],
      ),
      reply_to: describe(
        optional(oneOrMany(maxReplyAddresses)),
        {
          en: 'Where answers go. Default: the sender.',
          fr: 'Où vont les réponses. Par défaut : l’expéditeur.',
        },
        ['support@example.com'],
      ),
      ab_test: describe(optional(abTest), {
        en: 'Variants of the message. They are tested on a share of the recipients; the others get the best one.',
        fr: 'Variantes du message. Elles sont testées sur une part des destinataires ; les autres reçoivent la meilleure.',
      }),
      track,
    })
    .superRefine(
      (given, context) => {
        const body = givenFields(given);
        if (!hasBody(body) && !isGiven(body.template)) context.addIssue(customIssue(texts.none, ['text']));
        if (hasBody(body) && isGiven(body.template)) context.addIssue(customIssue(texts.copied, ['template']));
        if (!isGiven(body.subject) && !isGiven(body.template)) {
          context.addIssue(customIssue(texts.required, ['subject']));
        }
        addProblems(body, context);
        addLoneText(body, context);
        const decidesBy = givenText(givenFields(body.ab_test).decide_by);
        if (decidesBy && givenFields(body.track)[decidesBy] === false) {
          context.addIssue(customIssue(texts.blind, ['ab_test', 'decide_by']));
        }
      },
      { when: always },
    ),
  { unknown: 'refused', reserved: namesOfDraft },
);

export type CreateCampaignRequest = z.output<typeof createCampaignRequest>;
export type CampaignVariantRequest = z.output<typeof variant>;
