import { textsOf } from '../../language/text.ts';

export const accessTexts = textsOf({
  console: { en: 'Mailroom console', fr: 'Console Mailroom' },
  signInTitle: { en: 'Sign in to the console', fr: 'Connexion à la console' },
  signInAsk: {
    en: 'This link works once. Press the button to sign in on this device for 12 hours.',
    fr: 'Ce lien ne sert qu’une fois. Appuyez sur le bouton pour vous connecter sur cet appareil pendant 12 heures.',
  },
  signIn: { en: 'Sign in', fr: 'Se connecter' },
  usedTitle: { en: 'This link no longer works', fr: 'Ce lien ne fonctionne plus' },
  used: {
    en: 'A link works once, for 15 minutes. This one was already used, has expired, or is incomplete.',
    fr: 'Un lien ne sert qu’une fois, pendant 15 minutes. Celui-ci a déjà servi, a expiré ou est incomplet.',
  },
  needTitle: { en: 'You are not signed in', fr: 'Vous n’êtes pas connecté' },
  need: {
    en: 'A session ends after 12 hours, or when an owner ends all of them.',
    fr: 'Une session prend fin après 12 heures, ou quand un propriétaire les termine toutes.',
  },
  needProvider: {
    en: 'Sign in to see the console. A session ends after 12 hours, or when an owner ends it.',
    fr: 'Connectez-vous pour voir la console. Une session prend fin après 12 heures, ou quand un propriétaire y met fin.',
  },
  keptSignedOutProvider: {
    en: 'Your session has ended. What you wrote is kept on this page: sign in in another tab, come back here, and submit it again.',
    fr: 'Votre session a pris fin. Ce que vous avez écrit reste sur cette page\u00a0: connectez-vous dans un autre onglet, revenez ici, puis renvoyez-le.',
  },
  interruptedTitle: { en: 'You are not signed in yet', fr: 'Vous n’êtes pas encore connecté' },
  interrupted: {
    en: 'The sign-in was cancelled, took too long, or was started in another window. Start again.',
    fr: 'La connexion a été annulée, a duré trop longtemps ou a commencé dans une autre fenêtre. Recommencez.',
  },
  unreachable: {
    en: 'The sign-in service does not answer at the moment. Try again in a minute.',
    fr: 'Le service de connexion ne répond pas pour le moment. Réessayez dans une minute.',
  },
  uninvitedTitle: {
    en: 'This console is for people who were invited',
    fr: 'Cette console est réservée aux personnes invitées',
  },
  uninvited: {
    en: 'The address that you signed in with was not invited. Ask an owner for an invitation, or sign in with another address.',
    fr: 'L’adresse avec laquelle vous vous êtes connecté n’a pas été invitée. Demandez une invitation à un propriétaire, ou connectez-vous avec une autre adresse.',
  },
  unverified: {
    en: 'The sign-in service has not verified your address: verify it there, then sign in again.',
    fr: 'Le service de connexion n’a pas vérifié votre adresse\u00a0: faites-la vérifier, puis reconnectez-vous.',
  },
  taken: {
    en: 'Another account has signed in with this address before. Ask an owner to remove the address and to invite it again.',
    fr: 'Un autre compte s’est déjà connecté avec cette adresse. Demandez à un propriétaire de retirer l’adresse puis de l’inviter à nouveau.',
  },
  leavingTitle: { en: 'You are signed out', fr: 'Vous êtes déconnecté' },
  leaving: {
    en: 'Your session in the console has ended. The session at the sign-in service ends now as well.',
    fr: 'Votre session dans la console est terminée. Celle du service de connexion se termine également.',
  },
  goOn: { en: 'Continue', fr: 'Continuer' },
  how: {
    en: 'For a new link, run this command on the machine of the service, or ask its operator:',
    fr: 'Pour un nouveau lien, lancez cette commande sur la machine du service, ou demandez à son opérateur\u00a0:',
  },
  keptTitle: { en: 'Nothing was submitted yet', fr: 'Rien n’a encore été envoyé' },
  keptSignedOut: {
    en: 'Your session has ended. What you wrote is kept on this page: sign in with a link in another tab, come back here, and submit it again.',
    fr: 'Votre session a pris fin. Ce que vous avez écrit reste sur cette page\u00a0: connectez-vous par un lien dans un autre onglet, revenez ici, puis renvoyez-le.',
  },
  keptToken: {
    en: 'This form belongs to another session. Check what it contains; if it is what you want, submit it again.',
    fr: 'Ce formulaire appartient à une autre session. Vérifiez son contenu\u00a0; si c’est bien ce que vous voulez, renvoyez-le.',
  },
  again: { en: 'Submit it again', fr: 'Renvoyer' },
  foreignTitle: { en: 'This form came from another site', fr: 'Ce formulaire vient d’un autre site' },
  foreign: {
    en: 'A form of the console can only be submitted from the console itself. Nothing was done.',
    fr: 'Un formulaire de la console ne peut être envoyé que depuis la console. Rien n’a été fait.',
  },
  missingTitle: { en: 'Page not found', fr: 'Page introuvable' },
  missing: {
    en: 'The address may be incomplete, or what it refers to no longer exists.',
    fr: 'L’adresse est peut-être incomplète, ou ce qu’elle désigne n’existe plus.',
  },
  refusedTitle: { en: 'The request was refused', fr: 'La demande a été refusée' },
  back: { en: 'Back', fr: 'Retour' },
  home: { en: 'Go to the overview', fr: 'Aller à la vue d’ensemble' },
  choose: { en: 'Workspaces', fr: 'Espaces' },
  noneTitle: { en: 'There is no workspace yet', fr: 'Il n’y a pas encore d’espace' },
  none: { en: 'Create the first one on the command line:', fr: 'Créez le premier en ligne de commande\u00a0:' },
  failedTitle: { en: 'Something went wrong', fr: 'Une erreur est survenue' },
  failed: {
    en: 'The fault is ours. If it happens again, mention this reference:',
    fr: 'L’erreur vient de notre côté. Si cela se reproduit, mentionnez cette référence\u00a0:',
  },
  unavailable: {
    en: 'The service does not answer at the moment. Go back and try again in a moment. If it happens again, mention this reference:',
    fr: 'Le service ne répond pas en ce moment. Revenez en arrière et réessayez dans un instant. Si cela se reproduit, mentionnez cette référence\u00a0:',
  },
  tooLarge: {
    en: 'The form is larger than the console accepts.',
    fr: 'Le formulaire dépasse ce que la console accepte.',
  },
});
