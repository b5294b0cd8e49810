import * as z from 'zod';
import { fieldsMessage } from '../../../language/spelling.ts';
import { customIssue, type Text, textsOf } from '../../../language/text.ts';
import { type AddressProblem, addressProblemTexts, entryLength, parseMailbox } from '../../address.ts';
import { characterCount } from '../../encoding.ts';
import { isZone } from '../../zonedTime.ts';
import { dayMinutes, minutesOf } from './duration.ts';

/* The schemas of the values that steps and settings are made of. */

const texts = textsOf({
  duration: {
    en: 'must be a number of minutes, hours, days or weeks, as in "3 days"',
    fr: 'doit être un nombre de minutes, d’heures, de jours ou de semaines, comme « 3 days »',
  },
  zone: {
    en: 'must be a time zone such as Europe/Paris, or UTC',
    fr: 'doit être un fuseau horaire comme Europe/Paris, ou UTC',
  },
  time: { en: 'must be a time of day such as 09:00', fr: 'doit être une heure comme 09:00' },
  field: {
    en: 'must be a field name: 1 to 64 of A-Z a-z 0-9 _',
    fr: 'doit être le nom d’un champ : 1 à 64 caractères parmi A-Z a-z 0-9 _',
  },
  line: {
    en: 'must not contain line breaks or other control characters',
    fr: 'ne doit contenir ni saut de ligne ni autre caractère de contrôle',
  },
  topicTag: {
    en: 'must be the name and value of a tag, as in "category:newsletter"',
    fr: 'doit être le nom et la valeur d’une étiquette, comme « category:newsletter »',
  },
  event: {
    en: 'must be an event name: 1 to 64 of A-Z a-z 0-9 _ . : -',
    fr: 'doit être un nom d’événement : 1 à 64 caractères parmi A-Z a-z 0-9 _ . : -',
  },
});

/** An object that refuses unknown fields, naming the nearest of its own. */
export const strict = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? fieldsMessage.of(Object.keys(shape)) : undefined),
  });

/** A field that may be left out; `null` means the same. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

const matching = (pattern: RegExp, text: (typeof texts)[keyof typeof texts]) =>
  z.string().refine((value) => pattern.test(value), { params: { text } });

export const line = (least: number, most: number) =>
  z
    .string()
    .min(least)
    .max(most)
    .refine((value) => !/\p{Cc}/u.test(value), { params: { text: texts.line } });

/** `3 days`, to a number of days. */
export const duration = (mostDays: number, leastMinutes = 1) =>
  z.string().superRefine((value, context) => {
    const minutes = minutesOf(value);
    if (minutes === null) context.addIssue(customIssue(texts.duration));
    else if (minutes < leastMinutes || minutes > mostDays * dayMinutes) {
      context.addIssue(customIssue(outside(mostDays, leastMinutes)));
    }
  });

function outside(mostDays: number, leastMinutes: number): Text {
  const least: Text = {
    en: leastMinutes === 1 ? '1 minute' : '1 hour',
    fr: leastMinutes === 1 ? '1 minute' : '1 heure',
  };
  return { en: `must be ${least.en} to ${mostDays} days`, fr: `doit aller de ${least.fr} à ${mostDays} jours` };
}

export const zone = z.string().refine(isZone, { params: { text: texts.zone } });
export const timeOfDay = matching(/^(?:[01]\d|2[0-3]):[0-5]\d$/, texts.time);
export const personField = matching(/^[A-Za-z0-9_]{1,64}$/, texts.field);
export const personTag = line(1, 64);
export const eventName = matching(/^[A-Za-z0-9_.:-]{1,64}$/, texts.event);
export const topicTag = matching(/^[A-Za-z0-9_-]{1,256}:[A-Za-z0-9_-]{1,256}$/, texts.topicTag);

const isReportedByLimits = (problem: AddressProblem, value: string): boolean =>
  problem === 'too_short' || problem === 'empty' ? characterCount(value) < entryLength.minimum : problem === 'too_long';

/** An address, or a name with an address. */
export const mailbox = z
  .string()
  .min(entryLength.minimum)
  .max(entryLength.maximum)
  .superRefine((value, context) => {
    const read = parseMailbox(value);
    if (!read.ok && !isReportedByLimits(read.problem, value)) {
      context.addIssue(customIssue(addressProblemTexts[read.problem]));
    }
  });

/** One mailbox or a list, read as a list. */
export const replyTo = z.preprocess(
  (given) => (typeof given === 'string' ? [given] : given),
  z.array(mailbox).min(1).max(25),
);

export const tracking = strict({ opens: maybe(z.boolean()), clicks: maybe(z.boolean()) });

/** The date in a field of a person, at a time of day. */
export const fieldDate = {
  field: personField,
  offset_days: maybe(z.int().min(-365).max(365)),
  at: timeOfDay,
  zone,
};
