import * as z from 'zod';
import { customIssue, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { constant, describe, listOf, optional, pageQueryAfter } from './fields.ts';
import { singleLine } from './internal/message.ts';
import { addressText } from './subscriber.ts';

const emailExample = 'hello@example.com';

const texts = textsOf({
  name: {
    en: 'Display name. Left out, an existing sender keeps its own; `null` removes it.',
    fr: 'Nom affiché. Absent, un expéditeur existant garde le sien ; `null` le retire.',
  },
  default: {
    en: '`true` makes it the default sender in place of the former one. The first sender is the default in any case.',
    fr: '`true` en fait l’expéditeur par défaut, à la place de l’ancien. Le premier expéditeur l’est dans tous les cas.',
  },
  blank: { en: 'must not be blank', fr: 'ne doit pas être vide' },
});

export const senderPath = z.object({
  email: describe(z.string(), { en: 'Address.', fr: 'Adresse.' }, ['news@example.com']),
});

export const listSendersQuery = pageQueryAfter({}, emailExample);

export const createSenderRequest = withNameRules(
  z.strictObject({
    email: describe(
      addressText,
      {
        en: 'Address, on a verified domain of the workspace. Compared in lower case.',
        fr: 'Adresse, sur un domaine vérifié de l’espace. Comparée en minuscules.',
      },
      [emailExample],
    ),
    name: describe(
      singleLine(1, 200)
        .superRefine((value, context) => {
          if (value !== '' && value.trim() === '') context.addIssue(customIssue(texts.blank));
        })
        .nullable()
        .optional(),
      texts.name,
      ['Acme'],
    ),
    default: describe(optional(z.boolean()), texts.default, [true]),
  }),
  { unknown: 'refused' },
);

const object = constant('sender');

export const sender = z.object({
  object,
  email: describe(z.string(), { en: 'Address, which identifies it.', fr: 'Adresse, qui l’identifie.' }, [emailExample]),
  name: describe(z.string().nullable(), { en: 'Display name.', fr: 'Nom affiché.' }, ['Acme']),
  default: describe(z.boolean(), { en: 'True for the default sender.', fr: 'Vrai pour l’expéditeur par défaut.' }, [
    true,
  ]),
});

export const senderList = listOf(sender);

export const deletedSender = z.object({
  object,
  id: describe(z.string(), { en: 'Identifier: the address.', fr: 'Identifiant : l’adresse.' }, [emailExample]),
  email: describe(z.string(), { en: 'Address.', fr: 'Adresse.' }, [emailExample]),
  deleted: constant(true),
});
