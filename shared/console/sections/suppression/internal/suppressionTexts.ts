import { textsOf } from '../../../../language/text.ts';

export const suppressionTexts = textsOf({
  lead: {
    en: 'Addresses that get no mail: neither single emails nor campaigns.',
    fr: 'Les adresses qui ne reçoivent rien\u00a0: ni e-mail à l’unité, ni campagne.',
  },
  search: { en: 'Address', fr: 'Adresse' },
  find: { en: 'Find', fr: 'Chercher' },
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
  takeOff: { en: 'Remove', fr: 'Retirer' },
  takeOffTitle: { en: 'Remove {email} from the list', fr: 'Retirer {email} de la liste' },
  takeOffWhat: {
    en: 'Mail can be sent to the address again. This does not resubscribe the person: they stay unsubscribed until they use the sign-up form.',
    fr: 'L’adresse pourra de nouveau recevoir des messages. La personne n’est pas réabonnée pour autant\u00a0: elle reste désabonnée tant qu’elle n’utilise pas le formulaire d’inscription.',
  },
  bounceWhat: {
    en: 'Messages to it bounced permanently. If they bounce again, your bounce rate rises and the address returns to this list.',
    fr: 'Les messages y ont rebondi définitivement. S’ils rebondissent encore, votre taux de rebond augmente et l’adresse revient dans cette liste.',
  },
  complaintWhat: {
    en: 'This person reported your mail as spam. Write to them again only at their request: type the address to confirm.',
    fr: 'Cette personne a signalé vos messages comme indésirables. Ne lui écrivez de nouveau qu’à sa demande\u00a0: tapez l’adresse pour confirmer.',
  },
  typed: { en: 'Type the address', fr: 'Tapez l’adresse' },
  typedWrong: { en: 'is not that address', fr: 'n’est pas cette adresse' },
  why: { en: 'Reason for the removal', fr: 'Raison du retrait' },
  whyHint: { en: 'For the audit log, without names of people.', fr: 'Pour le journal d’audit, sans nom de personne.' },
  whyMissing: { en: 'is required', fr: 'est requise' },
  emptyTitle: { en: 'No address is suppressed', fr: 'Aucune adresse n’est exclue' },
  empty: {
    en: 'Addresses that unsubscribe, complain or bounce are added automatically.',
    fr: 'Les adresses qui se désabonnent, se plaignent ou rebondissent sont ajoutées automatiquement.',
  },
  notFound: { en: 'This address is not suppressed.', fr: 'Cette adresse n’est pas exclue.' },
});
