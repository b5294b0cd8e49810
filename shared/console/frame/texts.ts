import { textsOf } from '../../language/text.ts';

export const frameTexts = textsOf({
  skip: { en: 'Skip to the content', fr: 'Aller au contenu' },
  rooms: { en: 'Rooms', fr: 'Rubriques' },
  overview: { en: 'Overview', fr: 'Vue d’ensemble' },
  emails: { en: 'Emails', fr: 'E-mails' },
  people: { en: 'People', fr: 'Personnes' },
  segments: { en: 'Segments', fr: 'Segments' },
  campaigns: { en: 'Campaigns', fr: 'Campagnes' },
  suppression: { en: 'Suppression', fr: 'Exclusion' },
  webhooks: { en: 'Webhooks', fr: 'Webhooks' },
  domains: { en: 'Domains', fr: 'Domaines' },
  settings: { en: 'Settings', fr: 'Réglages' },
  workspaces: { en: 'All workspaces', fr: 'Tous les espaces' },
  signOut: { en: 'Sign out', fr: 'Se déconnecter' },
  shortcuts: { en: 'Keyboard', fr: 'Clavier' },
  shortcutSearch: { en: 'go to the search field', fr: 'aller au champ de recherche' },
  shortcutHelp: { en: 'this help', fr: 'cette aide' },
  thenPress: { en: 'then', fr: 'puis' },
  close: { en: 'Close', fr: 'Fermer' },
  newer: { en: 'First page', fr: 'Première page' },
  older: { en: 'Next page', fr: 'Page suivante' },
  copy: { en: 'Copy', fr: 'Copier' },
  copied: { en: 'Copied', fr: 'Copié' },
  cancel: { en: 'Cancel', fr: 'Annuler' },
  wrong: {
    en: 'Nothing was changed yet. Please correct what is marked below.',
    fr: 'Rien n’a encore été modifié. Corrigez ce qui est signalé ci-dessous.',
  },
  error: { en: 'Error', fr: 'Erreur' },
  table: { en: 'The figures as a table', fr: 'Les chiffres en tableau' },
});

export const roleTexts = textsOf({
  owner: { en: 'owner', fr: 'propriétaire' },
  editor: { en: 'editor', fr: 'éditeur' },
  viewer: { en: 'viewer', fr: 'lecteur' },
});

/** What was done, told on the page that comes after it. */
export const doneTexts = textsOf({
  saved: { en: 'Saved.', fr: 'Enregistré.' },
  added: { en: 'Added.', fr: 'Ajouté.' },
  removed: { en: 'Removed.', fr: 'Retiré.' },
  created: { en: 'Created.', fr: 'Créé.' },
  deleted: { en: 'Deleted.', fr: 'Supprimé.' },
  unsubscribed: {
    en: 'Unsubscribed. Nothing is sent to this address any more.',
    fr: 'Désabonnement effectué. Rien n’est plus envoyé à cette adresse.',
  },
  invited: {
    en: 'Added. They become a subscriber once they confirm by the message that was sent to them.',
    fr: 'Ajout effectué. L’abonnement sera actif une fois confirmé depuis le message envoyé.',
  },
  operatorInvited: {
    en: 'Invited. They may sign in from now on.',
    fr: 'Invitation faite. Cette personne peut désormais se connecter.',
  },
  operatorMailed: {
    en: 'Invited. They were mailed a password for their first sign-in.',
    fr: 'Invitation faite. Un mot de passe pour la première connexion a été envoyé par e-mail.',
  },
  signedOut: {
    en: 'Every session of this person has ended.',
    fr: 'Toutes les sessions de cette personne ont pris fin.',
  },
  erased: { en: 'Erased. Nothing is left of this person.', fr: 'Effacé. Il ne reste rien de cette personne.' },
  paused: {
    en: 'Paused. What was under way still goes out.',
    fr: 'En pause. Ce qui était en cours part encore.',
  },
  resumed: { en: 'It goes on.', fr: 'L’envoi reprend.' },
  emailCanceled: { en: 'Cancelled. It goes out to nobody.', fr: 'Annulé. Il ne partira pas.' },
  canceled: {
    en: 'Cancelled. Whoever was not written to yet is left out.',
    fr: 'Annulée. Les personnes restantes ne recevront rien.',
  },
  duplicated: { en: 'A new draft with the same content.', fr: 'Un nouveau brouillon au même contenu.' },
  archived: { en: 'Archived.', fr: 'Archivée.' },
  revoked: { en: 'Revoked: it opens nothing from now on.', fr: 'Révoquée : elle n’ouvre plus rien.' },
  replayed: { en: 'Sent once more.', fr: 'Envoyé une fois de plus.' },
  tested: { en: 'The test is on its way.', fr: 'Le test est en route.' },
  sending: { en: 'It is on its way.', fr: 'Elle est en route.' },
  scheduled: { en: 'Scheduled. You can take it back until then.', fr: 'Programmée. Vous pouvez l’annuler jusque-là.' },
  putBack: {
    en: 'They go back now. What is shown here follows within a minute.',
    fr: 'Ils repartent. L’affichage suit dans la minute.',
  },
  checked: { en: 'Checked just now.', fr: 'Vérifié à l’instant.' },
});
