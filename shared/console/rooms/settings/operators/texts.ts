import { textsOf } from '../../../../language/text.ts';

export const operatorTexts = textsOf({
  link: { en: 'Let somebody in', fr: 'Donner un accès' },
  linkWhat: {
    en: 'A link signs one person in to the console, once and within 15 minutes, for 12 hours.',
    fr: 'Un lien connecte une personne à la console, une fois et dans les 15 minutes, pour 12 heures.',
  },
  who: { en: 'Who it is for', fr: 'Pour qui' },
  whoHint: { en: 'As the audit log shall call them.', fr: 'Comme l’appellera le journal d’audit.' },
  role: { en: 'Role', fr: 'Rôle' },
  ownerHint: { en: 'Everything.', fr: 'Tout.' },
  editorHint: {
    en: 'People, segments, campaigns, suppression, the form; no keys, domains or webhooks.',
    fr: 'Personnes, segments, campagnes, exclusion, formulaire ; ni clés, ni domaines, ni webhooks.',
  },
  viewerHint: { en: 'Looks, and changes nothing.', fr: 'Regarde et ne change rien.' },
  reach: { en: 'Where', fr: 'Où' },
  onlyHere: { en: 'Only in this workspace', fr: 'Dans cet espace seulement' },
  everywhere: { en: 'In all workspaces', fr: 'Dans tous les espaces' },
  makeLink: { en: 'Make the link', fr: 'Créer le lien' },
  newLink: { en: 'The link for {name}', fr: 'Le lien pour {name}' },
  newLinkWhat: {
    en: 'Hand it over by a way that you trust: whoever opens it first is signed in.',
    fr: 'Transmettez-le par une voie sûre : qui l’ouvre en premier est connecté.',
  },
  signOutAll: { en: 'End every session', fr: 'Terminer toutes les sessions' },
  signOutWhat: {
    en: 'Everybody is signed out at their next click, you too. Whoever may sign in can do so again.',
    fr: 'Chacun est déconnecté à son prochain clic, vous aussi. Qui peut se connecter le pourra de nouveau.',
  },
  list: { en: 'Who may sign in', fr: 'Qui peut se connecter' },
  lead: {
    en: 'An invitation lets the owner of one address sign in. A role that changes, and a removal, hold at once.',
    fr: 'Une invitation permet à la personne de cette adresse de se connecter. Un changement de rôle et un retrait prennent effet aussitôt.',
  },
  nobody: { en: 'Nobody was invited yet', fr: 'Personne n’est encore invité' },
  nobodyWhat: {
    en: 'Invite the first colleague with the form beside this.',
    fr: 'Invitez un premier collègue avec le formulaire de cette page.',
  },
  address: { en: 'Email address', fr: 'Adresse e-mail' },
  signedIn: { en: 'Last sign-in', fr: 'Dernière connexion' },
  never: { en: 'not yet', fr: 'pas encore' },
  action: { en: 'Action', fr: 'Action' },
  all: { en: 'all workspaces', fr: 'tous les espaces' },
  invite: { en: 'Invite somebody', fr: 'Inviter une personne' },
  inviteHint: { en: 'The one that they sign in with.', fr: 'Celle avec laquelle elle se connecte.' },
  inviteButton: { en: 'Invite', fr: 'Inviter' },
  change: { en: 'Change', fr: 'Modifier' },
  changeTitle: { en: 'What {email} may do', fr: 'Ce que peut faire {email}' },
  save: { en: 'Save', fr: 'Enregistrer' },
  remove: { en: 'Remove', fr: 'Retirer' },
  removeTitle: { en: 'Remove {email}?', fr: 'Retirer {email} ?' },
  removeWhat: {
    en: 'They are signed out at their next click and cannot sign in any more. What they did stays in the audit log.',
    fr: 'Cette personne est déconnectée à son prochain clic et ne peut plus se connecter. Ses actions restent dans le journal d’audit.',
  },
  end: { en: 'End sessions', fr: 'Terminer les sessions' },
  endTitle: { en: 'End the sessions of {email}?', fr: 'Terminer les sessions de {email} ?' },
  endWhat: {
    en: 'They are signed out on every device at their next click, and may sign in again.',
    fr: 'Cette personne est déconnectée de tous ses appareils à son prochain clic, et peut se reconnecter.',
  },
  onlyOwners: {
    en: 'Owners of all workspaces invite people and change what they may do.',
    fr: 'Les propriétaires de tous les espaces invitent les personnes et modifient leurs droits.',
  },
});
