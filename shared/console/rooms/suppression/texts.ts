import { textsOf } from '../../../language/text.ts';

export const suppressionTexts = textsOf({
  lead: {
    en: 'Addresses that get no mail: nothing is sent to them, by whichever way.',
    fr: 'Des adresses qui ne reçoivent rien : rien ne leur est envoyé, par quelque voie que ce soit.',
  },
  search: { en: 'Address', fr: 'Adresse' },
  find: { en: 'Find', fr: 'Chercher' },
  all: { en: 'Show all', fr: 'Tout montrer' },
  import: { en: 'Import', fr: 'Importer' },
  add: { en: 'Add an address', fr: 'Ajouter une adresse' },
  addButton: { en: 'Add to the list', fr: 'Ajouter à la liste' },
  address: { en: 'Address', fr: 'Adresse' },
  reason: { en: 'Reason', fr: 'Motif' },
  since: { en: 'Since', fr: 'Depuis' },
  of: { en: 'List', fr: 'Liste' },
  organization: { en: 'This workspace', fr: 'Cet espace' },
  platform: { en: 'All workspaces', fr: 'Tous les espaces' },
  actions: { en: 'Action', fr: 'Action' },
  takeOff: { en: 'Take off', fr: 'Retirer' },
  takeOffTitle: { en: 'Take {email} off the list', fr: 'Retirer {email} de la liste' },
  takeOffWhat: {
    en: 'One address may be written to again. It subscribes nobody: whoever left stays unsubscribed until they come back by the form.',
    fr: 'Une adresse pourra de nouveau recevoir des messages. Cela n’abonne personne : qui est parti le reste jusqu’à son retour par le formulaire.',
  },
  bounceWhat: {
    en: 'Messages to it came back for good. If they do again, your bounce rate suffers, and it is put back here.',
    fr: 'Les messages en revenaient définitivement. S’ils reviennent encore, votre taux de rebond en souffre et l’adresse revient ici.',
  },
  complaintWhat: {
    en: 'This person reported your mail as spam. Write to them again only if they asked you to: type the address to show that you mean it.',
    fr: 'Cette personne a signalé vos messages comme indésirables. Ne lui écrivez de nouveau qu’à sa demande : tapez l’adresse pour confirmer.',
  },
  typed: { en: 'The address, once more', fr: 'L’adresse, encore une fois' },
  typedWrong: { en: 'is not that address', fr: 'n’est pas cette adresse' },
  why: { en: 'Why', fr: 'Pourquoi' },
  whyHint: { en: 'For the audit log. Name no person.', fr: 'Pour le journal d’audit. Ne nommez personne.' },
  whyMissing: { en: 'say why', fr: 'dites pourquoi' },
  emptyTitle: { en: 'Nobody is blocked', fr: 'Personne n’est exclu' },
  empty: {
    en: 'Whoever unsubscribes, complains, or cannot be reached comes here by itself.',
    fr: 'Qui se désabonne, se plaint ou ne peut être joint arrive ici tout seul.',
  },
  notFound: { en: 'This address is on no list.', fr: 'Cette adresse n’est sur aucune liste.' },
});

export const reasonTexts = textsOf({
  bounce: { en: 'Bounced', fr: 'Rebond' },
  complaint: { en: 'Complained', fr: 'Plainte' },
  unsubscribe: { en: 'Unsubscribed', fr: 'Désabonnement' },
  manual: { en: 'Added by hand', fr: 'Ajout manuel' },
});
