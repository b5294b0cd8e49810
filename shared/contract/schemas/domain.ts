import * as z from 'zod';
import { recordPurposes, recordStates } from '../../domain/dnsRecords.ts';
import { toAsciiDomain } from '../../domain/webAddress.ts';
import { textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { constant, describe, listOf, named, pageQuery } from './fields.ts';

const texts = textsOf({
  domain: {
    en: 'must be a domain name such as example.com',
    fr: 'doit être un nom de domaine comme example.com',
  },
  mailFrom: {
    en: 'The subdomain that receives bounces. Left out: `mail.` and the name; `null`: the provider’s own domain, with fewer records to publish.',
    fr: 'Le sous-domaine qui reçoit les rebonds. Absent : `mail.` et le nom ; `null` : le domaine du prestataire, avec moins d’enregistrements à publier.',
  },
});

const domainName = z
  .string()
  .max(253)
  .refine((value) => toAsciiDomain(value.trim())?.includes('.') === true, { params: { text: texts.domain } });

export const createDomainRequest = withNameRules(
  z.strictObject({
    name: describe(domainName, { en: 'Name of the domain.', fr: 'Nom du domaine.' }, ['example.org']),
    mail_from: describe(domainName.nullable().optional(), texts.mailFrom, ['bounces.example.org']),
  }),
  { unknown: 'refused' },
);

export const listDomainsQuery = z.object(pageQuery);

export const domainPath = z.object({
  id: describe(z.string(), { en: 'The domain’s name.', fr: 'Nom du domaine.' }, ['example.com']),
});

const listed = {
  object: constant('domain'),
  id: describe(z.string(), { en: 'Identifier: the name.', fr: 'Identifiant : le nom.' }, ['example.com']),
  name: describe(z.string(), { en: 'Name, in ASCII.', fr: 'Nom, en ASCII.' }, ['example.com']),
  verified: describe(
    z.boolean(),
    {
      en: 'Whether you could send from it at the last check.',
      fr: 'Si l’on pouvait envoyer depuis ce domaine au dernier contrôle.',
    },
    [true],
  ),
};

const record = z.object({
  purpose: describe(z.enum(recordPurposes), { en: 'Purpose of the record.', fr: 'Rôle de l’enregistrement.' }, [
    'dkim',
  ]),
  type: describe(z.enum(['CNAME', 'MX', 'TXT']), { en: 'Type of record.', fr: 'Type d’enregistrement.' }, ['CNAME']),
  name: describe(z.string(), { en: 'Full name.', fr: 'Nom complet.' }, ['abc._domainkey.example.com']),
  value: describe(
    z.string(),
    {
      en: 'Value. That of an MX record starts with its priority.',
      fr: 'Valeur. Celle d’un enregistrement MX commence par sa priorité.',
    },
    ['abc.dkim.amazonses.com'],
  ),
  status: describe(
    z.enum(recordStates),
    {
      en: 'Current state at the provider, which does not check DMARC (`unchecked`). The record of purpose `ownership` names this workspace; it was looked up at the last check.',
      fr: 'État actuel chez le prestataire, qui ne contrôle pas DMARC (`unchecked`). L’enregistrement de rôle `ownership` désigne cet espace ; il a été cherché au dernier contrôle.',
    },
    ['verified'],
  ),
});

export const domainDetail = named(
  'Domain',
  z.object({
    ...listed,
    mail_from: describe(
      z.string().nullable(),
      {
        en: 'The subdomain that receives bounces; `null` for the provider’s own domain.',
        fr: 'Le sous-domaine qui reçoit les rebonds ; `null` pour le domaine du prestataire.',
      },
      ['mail.example.com'],
    ),
    records: describe(z.array(record), { en: 'Records to publish.', fr: 'Enregistrements à publier.' }),
  }),
);

export const domainList = listOf(named('DomainSummary', z.object(listed)));

export const deletedDomain = z.object({
  object: listed.object,
  id: listed.id,
  deleted: constant(true),
});
