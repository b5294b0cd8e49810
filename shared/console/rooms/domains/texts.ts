import { textsOf } from '../../../language/text.ts';

export const domainsTexts = textsOf({
  lead: {
    en: 'Where mail may come from: domains that you own, and senders on them.',
    fr: 'D’où partent les messages : vos domaines, et les expéditeurs qui en dépendent.',
  },
  domains: { en: 'Domains', fr: 'Domaines' },
  domain: { en: 'Domain', fr: 'Domaine' },
  state: { en: 'State', fr: 'État' },
  verified: { en: 'Verified', fr: 'Vérifié' },
  unverified: { en: 'Not verified', fr: 'Non vérifié' },
  add: { en: 'Add a domain', fr: 'Ajouter un domaine' },
  addHint: { en: 'Such as example.com', fr: 'Par exemple example.com' },
  emptyTitle: { en: 'There is no domain yet', fr: 'Pas encore de domaine' },
  empty: {
    en: 'Add the domain that your mail comes from. You get records to publish in its DNS; nothing is sent before SES has seen them.',
    fr: 'Ajoutez le domaine d’où partent vos messages. Vous publierez des enregistrements DNS ; rien ne part avant que SES les ait vus.',
  },
  records: { en: 'Records to publish', fr: 'Enregistrements à publier' },
  recordsWhat: {
    en: 'Publish them where the DNS of the domain is kept. SES looks for hours, sometimes for a day.',
    fr: 'Publiez-les là où se gère le DNS du domaine. SES met des heures, parfois un jour, à les voir.',
  },
  purpose: { en: 'What for', fr: 'Pour' },
  type: { en: 'Type', fr: 'Type' },
  name: { en: 'Name', fr: 'Nom' },
  value: { en: 'Value', fr: 'Valeur' },
  check: { en: 'Check again', fr: 'Vérifier de nouveau' },
  remove: { en: 'Remove', fr: 'Retirer' },
  removeTitle: { en: 'Remove {name}', fr: 'Retirer {name}' },
  silent: { en: 'Senders that fall silent with it: {count}', fr: 'Expéditeurs qui se taisent avec lui : {count}' },
  removeWhat: {
    en: 'Nothing leaves from this domain any more in this workspace. SES keeps it, since another workspace may use it.',
    fr: 'Plus rien ne part de ce domaine dans cet espace. SES le garde, un autre espace pouvant s’en servir.',
  },
  senders: { en: 'Senders', fr: 'Expéditeurs' },
  sender: { en: 'Sender', fr: 'Expéditeur' },
  noSenders: {
    en: 'There is none. Confirmations, and campaigns that name no sender, come from the default one.',
    fr: 'Aucun. Les confirmations, et les campagnes sans expéditeur, partent de celui par défaut.',
  },
  isDefault: { en: 'Default', fr: 'Par défaut' },
  makeDefault: { en: 'Make it the default', fr: 'Par défaut' },
  addSender: { en: 'Add a sender', fr: 'Ajouter un expéditeur' },
  mailbox: { en: 'Name and address', fr: 'Nom et adresse' },
  mailboxHint: { en: 'Such as Acme <hello@example.com>', fr: 'Par exemple Acme <hello@example.com>' },
  addButton: { en: 'Add', fr: 'Ajouter' },
  action: { en: 'Action', fr: 'Action' },
  removeSenderWhat: {
    en: 'Campaigns and confirmations cannot name it any more. What was sent stays as it is.',
    fr: 'Campagnes et confirmations ne pourront plus l’utiliser. Ce qui est parti reste tel quel.',
  },
});

export const purposeTexts = textsOf({
  dkim: { en: 'Signature (DKIM)', fr: 'Signature (DKIM)' },
  mail_from_mx: { en: 'Bounces (MX)', fr: 'Rebonds (MX)' },
  mail_from_spf: { en: 'Sender (SPF)', fr: 'Expéditeur (SPF)' },
  dmarc: { en: 'Policy (DMARC)', fr: 'Politique (DMARC)' },
});

export const stateTexts = textsOf({
  verified: { en: 'Seen by SES', fr: 'Vu par SES' },
  pending: { en: 'Not seen yet', fr: 'Pas encore vu' },
  failed: { en: 'Given up by SES', fr: 'Abandonné par SES' },
  unchecked: { en: 'SES does not look', fr: 'Non regardé par SES' },
  found: { en: 'Found in DNS', fr: 'Trouvé dans le DNS' },
  missing: { en: 'Missing in DNS', fr: 'Absent du DNS' },
  wrong: { en: 'Other value in DNS', fr: 'Autre valeur dans le DNS' },
  unknown: { en: 'DNS did not answer', fr: 'DNS sans réponse' },
});
