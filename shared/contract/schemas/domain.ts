import * as z from 'zod';
import { recordPurposes, recordStates } from '../../domain/dns/domainRecords.ts';
import { describe } from '../describe.ts';
import { listOf, pageQuery } from './list.ts';

export const listDomainsQuery = z.object(pageQuery);

export const domainPath = z.object({
  id: describe(z.string(), { en: 'The domain’s name.', fr: 'Nom du domaine.' }, ['example.com']),
});

const listed = {
  object: describe(z.literal('domain'), { en: 'Always `domain`.', fr: 'Toujours `domain`.' }),
  id: describe(z.string(), { en: 'Identifier: the name.', fr: 'Identifiant : le nom.' }, ['example.com']),
  name: describe(z.string(), { en: 'Name, in ASCII.', fr: 'Nom, en ASCII.' }, ['example.com']),
  verified: describe(
    z.boolean(),
    {
      en: 'True when mail may come from it, as last looked at.',
      fr: 'Vrai si l’on peut envoyer depuis lui, au dernier contrôle.',
    },
    [true],
  ),
};

const record = z.object({
  purpose: describe(z.enum(recordPurposes), { en: 'What it is for.', fr: 'À quoi il sert.' }, ['dkim']),
  type: describe(z.enum(['CNAME', 'MX', 'TXT']), { en: 'Type of record.', fr: 'Type d’enregistrement.' }, ['CNAME']),
  name: describe(z.string(), { en: 'Full name.', fr: 'Nom complet.' }, ['abc._domainkey.example.com']),
  value: describe(
    z.string(),
    { en: 'Value; that of an MX begins with its priority.', fr: 'Valeur ; celle d’un MX commence par sa priorité.' },
    ['abc.dkim.amazonses.com'],
  ),
  status: describe(
    z.enum(recordStates),
    {
      en: 'What the provider says of it now; it does not look at DMARC (`unchecked`).',
      fr: 'Ce que le prestataire en dit à présent ; il ne regarde pas DMARC (`unchecked`).',
    },
    ['verified'],
  ),
});

export const domainDetail = z.object({
  ...listed,
  mail_from: describe(
    z.string().nullable(),
    {
      en: 'The subdomain that bounces go to; `null` for the provider’s own.',
      fr: 'Le sous-domaine qui reçoit les rebonds ; `null` pour celui du prestataire.',
    },
    ['mail.example.com'],
  ),
  records: describe(z.array(record), { en: 'Records to publish.', fr: 'Enregistrements à publier.' }),
});

export const domainList = listOf(z.object(listed));
