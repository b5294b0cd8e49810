import * as z from 'zod';
import { recordPurposes, recordStates } from '../../domain/dnsRecords.ts';
import { constant, describe, listOf, named, pageQuery } from './fields.ts';

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
