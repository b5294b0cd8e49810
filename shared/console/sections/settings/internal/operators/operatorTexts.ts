import { textsOf } from '../../../../../language/text.ts';

export const operatorTexts = textsOf({
  link: { en: 'Give access', fr: 'Donner un accès' },
  linkWhat: {
    en: 'A link signs one person in to the console for 12 hours. It works once, within 15 minutes.',
    fr: 'Un lien connecte une personne à la console pour 12 heures. Il ne sert qu’une fois, dans les 15 minutes.',
  },
  who: { en: 'Who it is for', fr: 'Pour qui' },
  whoHint: { en: 'Name shown in the audit log.', fr: 'Nom affiché dans le journal d’audit.' },
  role: { en: 'Role', fr: 'Rôle' },
  ownerHint: { en: 'Full access.', fr: 'Accès complet.' },
  editorHint: {
    en: 'People, segments, campaigns, suppression, the form; no keys, domains or webhooks.',
    fr: 'Personnes, segments, campagnes, exclusion, formulaire\u00a0; ni clés, ni domaines, ni webhooks.',
  },
  viewerHint: { en: 'Can view everything, change nothing.', fr: 'Consultation seule.' },
  reach: { en: 'Workspaces', fr: 'Espaces' },
  onlyHere: { en: 'Only this workspace', fr: 'Cet espace seulement' },
  everywhere: { en: 'All workspaces', fr: 'Tous les espaces' },
  makeLink: { en: 'Create the link', fr: 'Créer le lien' },
  newLink: { en: 'Link for {name}', fr: 'Lien pour {name}' },
  newLinkWhat: {
    en: 'Send it through a channel you trust: the first person to open it is signed in.',
    fr: 'Transmettez-le par un moyen sûr\u00a0: la première personne qui l’ouvre est connectée.',
  },
  signOutAll: { en: 'End all sessions', fr: 'Terminer toutes les sessions' },
  signOutWhat: {
    en: 'Everybody, including you, is signed out at their next click. They can sign in again.',
    fr: 'Tout le monde, vous compris, est déconnecté au prochain clic. Chacun peut se reconnecter.',
  },
  list: { en: 'Operators', fr: 'Opérateurs' },
  lead: {
    en: 'An invitation lets the owner of an address sign in. Changes of roles and removals take effect at once.',
    fr: 'Une invitation permet à la personne de cette adresse de se connecter. Les changements de rôle et les retraits prennent effet aussitôt.',
  },
  nobody: { en: 'No invitations yet', fr: 'Aucune invitation pour l’instant' },
  nobodyWhat: {
    en: 'Invite your first colleague with the form on this page.',
    fr: 'Invitez un premier collègue avec le formulaire de cette page.',
  },
  address: { en: 'Email address', fr: 'Adresse e-mail' },
  signedIn: { en: 'Last sign-in', fr: 'Dernière connexion' },
  never: { en: 'not yet', fr: 'pas encore' },
  action: { en: 'Action', fr: 'Action' },
  all: { en: 'all workspaces', fr: 'tous les espaces' },
  invite: { en: 'Invite a person', fr: 'Inviter une personne' },
  inviteHint: { en: 'The address that they sign in with.', fr: 'L’adresse avec laquelle elle se connecte.' },
  inviteButton: { en: 'Invite', fr: 'Inviter' },
  change: { en: 'Change', fr: 'Modifier' },
  changeTitle: { en: 'Access of {email}', fr: 'Accès de {email}' },
  save: { en: 'Save', fr: 'Enregistrer' },
  remove: { en: 'Remove', fr: 'Retirer' },
  removeTitle: { en: 'Remove {email}?', fr: 'Retirer {email}\u00a0?' },
  removeWhat: {
    en: 'They are signed out at their next click and can no longer sign in. Their actions stay in the audit log.',
    fr: 'Cette personne est déconnectée à son prochain clic et ne peut plus se connecter. Ses actions restent dans le journal d’audit.',
  },
  end: { en: 'End sessions', fr: 'Terminer les sessions' },
  endTitle: { en: 'End the sessions of {email}?', fr: 'Terminer les sessions de {email}\u00a0?' },
  endWhat: {
    en: 'They are signed out on all devices at their next click and can sign in again.',
    fr: 'Cette personne est déconnectée de tous ses appareils à son prochain clic, et peut se reconnecter.',
  },
  onlyOwners: {
    en: 'Only owners of all workspaces can invite operators and change their access.',
    fr: 'Seuls les propriétaires de tous les espaces peuvent inviter des opérateurs et modifier leurs accès.',
  },
});
