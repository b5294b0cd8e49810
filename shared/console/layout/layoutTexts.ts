import { textsOf } from '../../language/text.ts';

export const layoutTexts = textsOf({
  skip: { en: 'Skip to the content', fr: 'Aller au contenu' },
  sections: { en: 'Sections', fr: 'Rubriques' },
  overview: { en: 'Overview', fr: 'Vue d’ensemble' },
  emails: { en: 'Emails', fr: 'E-mails' },
  people: { en: 'People', fr: 'Personnes' },
  segments: { en: 'Segments', fr: 'Segments' },
  campaigns: { en: 'Campaigns', fr: 'Campagnes' },
  automations: { en: 'Automations', fr: 'Automatisations' },
  suppression: { en: 'Suppression', fr: 'Exclusion' },
  webhooks: { en: 'Webhooks', fr: 'Webhooks' },
  domains: { en: 'Domains', fr: 'Domaines' },
  settings: { en: 'Settings', fr: 'Réglages' },
  workspaces: { en: 'All workspaces', fr: 'Tous les espaces' },
  signOut: { en: 'Sign out', fr: 'Se déconnecter' },
  shortcuts: { en: 'Keyboard shortcuts', fr: 'Raccourcis clavier' },
  shortcutSearch: { en: 'go to the search', fr: 'aller à la recherche' },
  shortcutHelp: { en: 'show this help', fr: 'afficher cette aide' },
  thenPress: { en: 'then', fr: 'puis' },
  close: { en: 'Close', fr: 'Fermer' },
  newer: { en: 'First page', fr: 'Première page' },
  older: { en: 'Next page', fr: 'Page suivante' },
  copy: { en: 'Copy', fr: 'Copier' },
  copied: { en: 'Copied', fr: 'Copié' },
  cancel: { en: 'Cancel', fr: 'Annuler' },
  wrong: {
    en: 'Nothing was changed. Correct the problems marked below.',
    fr: 'Rien n’a été modifié. Corrigez ce qui est signalé ci-dessous.',
  },
  error: { en: 'Error', fr: 'Erreur' },
  heldSince: { en: 'Since', fr: 'Depuis le' },
  heldMore: { en: 'What this means', fr: 'Ce que cela implique' },
  table: { en: 'Show as a table', fr: 'Afficher en tableau' },
});

export const heldTexts = textsOf({
  held: {
    en: 'All sending is held: no message leaves this deployment until the hold is released.',
    fr: 'Tous les envois sont bloqués\u00a0: aucun message ne part de ce déploiement avant leur déblocage.',
  },
});

export const roleTexts = textsOf({
  owner: { en: 'owner', fr: 'propriétaire' },
  editor: { en: 'editor', fr: 'éditeur' },
  viewer: { en: 'viewer', fr: 'lecteur' },
});

/** What was done, shown on the next page. */
export const doneTexts = textsOf({
  saved: { en: 'Saved.', fr: 'Enregistré.' },
  added: { en: 'Added.', fr: 'Ajouté.' },
  removed: { en: 'Removed.', fr: 'Retiré.' },
  created: { en: 'Created.', fr: 'Créé.' },
  deleted: { en: 'Deleted.', fr: 'Supprimé.' },
  unsubscribed: {
    en: 'Unsubscribed. Nothing more is sent to this address.',
    fr: 'Désabonnement effectué. Plus rien n’est envoyé à cette adresse.',
  },
  invited: {
    en: 'Added. They will be subscribed once they confirm by the message sent to them.',
    fr: 'Personne ajoutée. Elle sera abonnée après confirmation par le message envoyé.',
  },
  operatorInvited: {
    en: 'Invited. They can sign in from now on.',
    fr: 'Invitation faite. Cette personne peut désormais se connecter.',
  },
  operatorMailed: {
    en: 'Invited. A password for the first sign-in was sent to them by email.',
    fr: 'Invitation faite. Un mot de passe pour la première connexion a été envoyé par e-mail.',
  },
  signedOut: {
    en: 'Every session of this person has ended.',
    fr: 'Toutes les sessions de cette personne ont pris fin.',
  },
  erased: {
    en: 'Erased. Nothing about this person is stored.',
    fr: 'Effacé. Plus rien n’est conservé sur cette personne.',
  },
  paused: {
    en: 'Paused. Messages already in flight are still sent.',
    fr: 'En pause. Les messages déjà en cours d’envoi partent encore.',
  },
  resumed: { en: 'Resumed.', fr: 'L’envoi reprend.' },
  emailCanceled: { en: 'Cancelled. It will not be sent.', fr: 'Annulé. Il ne partira pas.' },
  canceled: {
    en: 'Cancelled. The remaining recipients get nothing.',
    fr: 'Annulée. Les destinataires restants ne recevront rien.',
  },
  duplicated: {
    en: 'This is a new draft with the same content.',
    fr: 'Voici un nouveau brouillon avec le même contenu.',
  },
  archived: { en: 'Archived.', fr: 'Archivée.' },
  revoked: { en: 'Revoked: it no longer works.', fr: 'Révoquée\u00a0: elle ne fonctionne plus.' },
  replayed: { en: 'Sent again.', fr: 'Renvoyé.' },
  tested: { en: 'The test was sent.', fr: 'Le test est parti.' },
  sending: { en: 'The campaign is being sent.', fr: 'La campagne est en cours d’envoi.' },
  scheduled: { en: 'Scheduled. You can cancel it until then.', fr: 'Programmée. Vous pouvez l’annuler jusque-là.' },
  putBack: {
    en: 'They are being put back. This page is updated within a minute.',
    fr: 'Les messages sont remis en file. Cette page est à jour dans la minute.',
  },
  sendingHeld: { en: 'All sending is held.', fr: 'Tous les envois sont bloqués.' },
  sendingReleased: { en: 'Sending continues.', fr: 'Les envois reprennent.' },
  checked: { en: 'Checked just now.', fr: 'Vérifié à l’instant.' },
});
