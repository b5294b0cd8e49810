import { textsOf } from '../../../../language/text.ts';

export const domainsTexts = textsOf({
  lead: { en: 'Your domains and senders.', fr: 'Vos domaines et vos expéditeurs.' },
  domains: { en: 'Domains', fr: 'Domaines' },
  domain: { en: 'Domain', fr: 'Domaine' },
  state: { en: 'State', fr: 'État' },
  verified: { en: 'Verified', fr: 'Vérifié' },
  incomplete: { en: 'Records missing', fr: 'Enregistrements absents' },
  unverified: { en: 'Not verified', fr: 'Non vérifié' },
  add: { en: 'Add a domain', fr: 'Ajouter un domaine' },
  addHint: { en: 'For example example.com', fr: 'Par exemple example.com' },
  emptyTitle: { en: 'No domains yet', fr: 'Aucun domaine pour l’instant' },
  empty: {
    en: 'Add the domain that you send from. You then get DNS records to publish; nothing is sent before SES has found them.',
    fr: 'Ajoutez le domaine depuis lequel vous envoyez. Vous obtenez alors des enregistrements DNS à publier\u00a0; rien ne part avant que SES les ait trouvés.',
  },
  records: { en: 'Records to publish', fr: 'Enregistrements à publier' },
  recordsWhat: {
    en: 'Publish them at the domain’s DNS provider, then check again. SES may take hours, sometimes a day, to find its records. The TXT record at _mailroom proves that the domain belongs to this workspace.',
    fr: 'Publiez-les chez le fournisseur DNS du domaine, puis vérifiez de nouveau. SES peut mettre des heures, parfois un jour, à trouver ses enregistrements. L’enregistrement TXT sous _mailroom prouve que le domaine appartient à cet espace.',
  },
  purpose: { en: 'Purpose', fr: 'Rôle' },
  type: { en: 'Type', fr: 'Type' },
  name: { en: 'Name', fr: 'Nom' },
  value: { en: 'Value', fr: 'Valeur' },
  check: { en: 'Check again', fr: 'Vérifier de nouveau' },
  remove: { en: 'Remove', fr: 'Retirer' },
  removeTitle: { en: 'Remove {name}', fr: 'Retirer {name}' },
  affected: {
    en: 'Senders that can no longer be used: {count}',
    fr: 'Expéditeurs qui ne pourront plus servir\u00a0: {count}',
  },
  removeWhat: {
    en: 'This workspace can no longer send from this domain, and another workspace may claim it. It is also deleted at SES unless other mail depends on it; its records must then be published again.',
    fr: 'Cet espace ne pourra plus envoyer depuis ce domaine, et un autre espace pourra le revendiquer. Il est aussi supprimé de SES, sauf si d’autres envois en dépendent\u00a0; ses enregistrements seront alors à publier de nouveau.',
  },
  senders: { en: 'Senders', fr: 'Expéditeurs' },
  sender: { en: 'Sender', fr: 'Expéditeur' },
  noSenders: {
    en: 'No senders yet. Confirmations, and campaigns without their own sender, use the default one.',
    fr: 'Aucun expéditeur. Les confirmations, et les campagnes sans expéditeur propre, utilisent celui par défaut.',
  },
  isDefault: { en: 'Default', fr: 'Par défaut' },
  makeDefault: { en: 'Make default', fr: 'Définir par défaut' },
  addSender: { en: 'Add a sender', fr: 'Ajouter un expéditeur' },
  mailbox: { en: 'Name and address', fr: 'Nom et adresse' },
  mailboxHint: { en: 'For example Acme <hello@example.com>', fr: 'Par exemple Acme <hello@example.com>' },
  addButton: { en: 'Add', fr: 'Ajouter' },
  action: { en: 'Action', fr: 'Action' },
  removeSenderWhat: {
    en: 'Campaigns and confirmations can no longer use this sender. Messages already sent do not change.',
    fr: 'Les campagnes et les confirmations ne pourront plus utiliser cet expéditeur. Les messages déjà envoyés ne changent pas.',
  },
});

export const purposeTexts = textsOf({
  dkim: { en: 'Signature (DKIM)', fr: 'Signature (DKIM)' },
  mail_from_mx: { en: 'Bounces (MX)', fr: 'Rebonds (MX)' },
  mail_from_spf: { en: 'Sender (SPF)', fr: 'Expéditeur (SPF)' },
  dmarc: { en: 'Policy (DMARC)', fr: 'Politique (DMARC)' },
  ownership: { en: 'This workspace (TXT)', fr: 'Cet espace (TXT)' },
});

export const stateTexts = textsOf({
  verified: { en: 'Found by SES', fr: 'Trouvé par SES' },
  pending: { en: 'Not found yet', fr: 'Pas encore trouvé' },
  failed: { en: 'Failed at SES', fr: 'Échec chez SES' },
  unchecked: { en: 'Not checked by SES', fr: 'Non vérifié par SES' },
  found: { en: 'Found in DNS', fr: 'Trouvé dans le DNS' },
  missing: { en: 'Missing from DNS', fr: 'Absent du DNS' },
  wrong: { en: 'Wrong value in DNS', fr: 'Mauvaise valeur dans le DNS' },
  unknown: { en: 'DNS did not answer', fr: 'DNS sans réponse' },
});
