import * as z from 'zod';
import { subscriberStatuses, trackingChoices } from '../../domain/person/person.ts';
import { maxTopics } from '../../domain/workspace/topic.ts';
import { customIssue, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { always, constant, describe, givenFields, isGiven, moment, named, optional, strictFields } from './fields.ts';
import { controlCharacters, singleLine } from './internal/message.ts';

const topicExample = 'top_3v5c8r2m4n6p7s9t0wxy01k9zq';

const texts = textsOf({
  opens: {
    en: 'Whether opens may be tracked, as far as the person said: `denied` is never tracked.',
    fr: 'Si les ouvertures peuvent être suivies, d’après la personne : `denied` n’est jamais suivi.',
  },
  clicks: {
    en: 'Whether clicks may be tracked, as far as the person said: `denied` is never tracked.',
    fr: 'Si les clics peuvent être suivis, d’après la personne : `denied` n’est jamais suivi.',
  },
  subscription: {
    en: '`opt_out` when the person left the topic.',
    fr: '`opt_out` si la personne a quitté ce type d’e-mail.',
  },
  proofNeeded: {
    en: 'is required with "granted": when, where and to which words the person agreed',
    fr: 'est obligatoire avec « granted » : quand, où et à quel texte la personne a consenti',
  },
  proofAlone: {
    en: 'belongs to a consent: give it only with "granted"',
    fr: 'accompagne un consentement : ne le donnez qu’avec « granted »',
  },
  twice: { en: 'is named twice', fr: 'est nommé deux fois' },
});

/** Only what the API can store: it can neither forget a choice nor make one unknown. */
const settable = z.enum(['granted', 'denied']);
const subscription = z.enum(['opt_in', 'opt_out']);

const proof = strictFields({
  at: describe(
    moment,
    {
      en: 'When the person agreed: RFC 3339 with an offset, not in the future.',
      fr: 'Date du consentement : RFC 3339 avec un décalage, pas dans le futur.',
    },
    ['2026-11-20T18:05:00+01:00'],
  ),
  source: describe(
    singleLine(1, 500),
    { en: 'Where they agreed, such as the address of a page.', fr: 'Où, par exemple l’adresse d’une page.' },
    ['https://www.example.com/account/privacy'],
  ),
  text: describe(
    z
      .string()
      .min(1)
      .max(2000)
      .refine((value) => !/[\u0000-\u0009\u000b-\u001f\u007f]/.test(value), { params: { text: controlCharacters } }),
    { en: 'The words that they agreed to.', fr: 'Le texte auquel elle a consenti.' },
    ['Measure whether I open your newsletters.'],
  ),
});

const tracking = strictFields({
  opens: describe(optional(settable), texts.opens, ['granted']),
  clicks: describe(optional(settable), texts.clicks, ['denied']),
  proof: describe(optional(named('TrackingProof', proof)), {
    en: 'The proof of the consent, required with `granted`. It is stored, exported and erased with the person.',
    fr: 'La preuve du consentement, obligatoire avec `granted`. Elle est conservée, exportée et effacée avec la personne.',
  }),
}).superRefine(
  (given, context) => {
    const { opens, clicks, proof: given_proof } = givenFields(given);
    const isGranted = opens === 'granted' || clicks === 'granted';
    if (isGranted && !isGiven(given_proof)) context.addIssue(customIssue(texts.proofNeeded, ['proof']));
    if (!isGranted && isGiven(given_proof)) context.addIssue(customIssue(texts.proofAlone, ['proof']));
  },
  { when: always },
);

const topics = z
  .array(
    strictFields({
      id: describe(z.string().min(1).max(100), { en: 'Identifier of the topic.', fr: 'Identifiant du type.' }, [
        topicExample,
      ]),
      subscription: describe(subscription, texts.subscription, ['opt_out']),
    }),
  )
  .max(maxTopics)
  .superRefine(
    (given, context) => {
      if (!Array.isArray(given)) return;
      const ids = given.map((one) => givenFields(one).id);
      for (const [index, id] of ids.entries()) {
        if (isGiven(id) && ids.indexOf(id) !== index) context.addIssue(customIssue(texts.twice, [index, 'id']));
      }
    },
    { when: always },
  );

export const updatePreferencesRequest = withNameRules(
  z.strictObject({
    tracking: describe(optional(named('TrackingChoices', tracking)), {
      en: 'What is left out stays. `denied` is always possible, `granted` only from `unknown` and with a `proof`.',
      fr: 'Ce qui est absent ne change pas. `denied` est toujours possible, `granted` seulement depuis `unknown` et avec une `proof`.',
    }),
    topics: describe(optional(topics), {
      en: 'The topics to change; the others stay.',
      fr: 'Les types d’e-mails à changer ; les autres ne changent pas.',
    }),
  }),
  { unknown: 'refused' },
);

const choice = named('TrackingChoice', z.enum(trackingChoices));

export const preferences = z.object({
  object: constant('preferences'),
  email: describe(z.string(), { en: 'Address, in lower case.', fr: 'Adresse, en minuscules.' }, ['ada@example.net']),
  status: describe(
    named('SubscriberStatus', z.enum(subscriberStatuses)),
    { en: 'Status of the subscriber.', fr: 'Statut de l’abonné.' },
    ['subscribed'],
  ),
  tracking: describe(
    named(
      'TrackingPreferences',
      z.object({
        opens: describe(choice, texts.opens, ['unknown']),
        clicks: describe(choice, texts.clicks, ['denied']),
      }),
    ),
    { en: 'What the person said about tracking.', fr: 'Ce que la personne a dit du suivi.' },
  ),
  topics: describe(
    z.array(
      named(
        'TopicSubscription',
        z.object({
          id: describe(z.string(), { en: 'Identifier of the topic.', fr: 'Identifiant du type d’e-mail.' }, [
            topicExample,
          ]),
          name: describe(z.string(), { en: 'Name of the topic.', fr: 'Nom du type d’e-mail.' }, ['Product news']),
          subscription: describe(named('TopicChoice', subscription), texts.subscription, ['opt_in']),
        }),
      ),
    ),
    {
      en: 'Every topic of the workspace, newest first.',
      fr: 'Chaque type d’e-mail de l’espace, du plus récent au plus ancien.',
    },
  ),
});
