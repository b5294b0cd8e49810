import { textsOf } from '../../language/text.ts';

export const doorTexts = textsOf({
  console: { en: 'Mailroom console', fr: 'Console Mailroom' },
  signInTitle: { en: 'Sign in to the console', fr: 'Connexion à la console' },
  signInAsk: {
    en: 'This link works once. Press the button to sign in on this device for 12 hours.',
    fr: 'Ce lien ne sert qu’une fois. Appuyez sur le bouton pour vous connecter sur cet appareil pendant 12 heures.',
  },
  signIn: { en: 'Sign in', fr: 'Se connecter' },
  usedTitle: { en: 'This link does not work any more', fr: 'Ce lien ne fonctionne plus' },
  used: {
    en: 'A link works once, and for 15 minutes. This one was used, is older, or was never complete.',
    fr: 'Un lien sert une fois, et pendant 15 minutes. Celui-ci a servi, est plus ancien ou incomplet.',
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
    en: 'Your session has ended. What you wrote is kept on this page: sign in in another tab, come back here, and send it again.',
    fr: 'Votre session a pris fin. Ce que vous avez écrit reste sur cette page : connectez-vous dans un autre onglet, revenez ici, puis renvoyez-le.',
  },
  interruptedTitle: { en: 'You are not signed in yet', fr: 'Vous n’êtes pas encore connecté' },
  interrupted: {
    en: 'The sign-in was given up, took too long, or was begun in another window. Begin again.',
    fr: 'La connexion a été abandonnée, a duré trop longtemps ou a commencé dans une autre fenêtre. Recommencez.',
  },
  unreachable: {
    en: 'The service that signs you in does not answer at the moment. Try again in a minute.',
    fr: 'Le service de connexion ne répond pas pour le moment. Réessayez dans une minute.',
  },
  uninvitedTitle: {
    en: 'This console is for people who were invited',
    fr: 'Cette console est réservée aux personnes invitées',
  },
  uninvited: {
    en: 'Nobody has invited the address that you signed in with. Ask an owner for an invitation, or sign in with another address.',
    fr: 'Personne n’a invité l’adresse avec laquelle vous vous êtes connecté. Demandez une invitation à un propriétaire, ou connectez-vous avec une autre adresse.',
  },
  unverified: {
    en: 'Your address is not verified where you signed in: have it verified there, then sign in again.',
    fr: 'Votre adresse n’est pas vérifiée là où vous vous êtes connecté : faites-la vérifier, puis reconnectez-vous.',
  },
  taken: {
    en: 'Another account has signed in with this address before. Ask an owner to remove the address and to invite it again.',
    fr: 'Un autre compte s’est déjà connecté avec cette adresse. Demandez à un propriétaire de retirer l’adresse puis de l’inviter à nouveau.',
  },
  leavingTitle: { en: 'You have left the console', fr: 'Vous avez quitté la console' },
  leaving: {
    en: 'Your session here has ended. The one where you signed in ends now as well.',
    fr: 'Votre session ici est terminée. Celle du service de connexion se termine également.',
  },
  goOn: { en: 'Go on', fr: 'Continuer' },
  how: {
    en: 'For a new link, run this where the service is run, or ask who runs it:',
    fr: 'Pour un nouveau lien, lancez ceci là où tourne le service, ou demandez à qui l’exploite :',
  },
  keptTitle: { en: 'Nothing was sent yet', fr: 'Rien n’a encore été envoyé' },
  keptSignedOut: {
    en: 'Your session has ended. What you wrote is kept on this page: sign in by a link in another tab, come back here, and send it again.',
    fr: 'Votre session a pris fin. Ce que vous avez écrit reste sur cette page : connectez-vous par un lien dans un autre onglet, revenez ici, puis renvoyez-le.',
  },
  keptToken: {
    en: 'This form belonged to another session. Look at what it holds; if it is what you want, send it again.',
    fr: 'Ce formulaire appartenait à une autre session. Regardez ce qu’il contient ; si c’est bien ce que vous voulez, renvoyez-le.',
  },
  again: { en: 'Send it again', fr: 'Renvoyer' },
  foreignTitle: { en: 'That came from another site', fr: 'Cela venait d’un autre site' },
  foreign: {
    en: 'A form of the console can only be sent from the console itself. Nothing was done.',
    fr: 'Un formulaire de la console ne peut être envoyé que depuis la console. Rien n’a été fait.',
  },
  missingTitle: { en: 'There is nothing here', fr: 'Il n’y a rien ici' },
  missing: {
    en: 'The address may be incomplete, or what it was about is gone.',
    fr: 'L’adresse est peut-être incomplète, ou son objet n’existe plus.',
  },
  refusedTitle: { en: 'That was not done', fr: 'Cela n’a pas été fait' },
  back: { en: 'Back', fr: 'Retour' },
  home: { en: 'To the overview', fr: 'Vers la vue d’ensemble' },
  choose: { en: 'Workspaces', fr: 'Espaces' },
  noneTitle: { en: 'There is no workspace yet', fr: 'Il n’y a pas encore d’espace' },
  none: { en: 'Make the first one with the command line:', fr: 'Créez le premier avec la ligne de commande :' },
  failedTitle: { en: 'Something went wrong', fr: 'Une erreur est survenue' },
  failed: {
    en: 'The fault is ours. If it happens again, mention this reference:',
    fr: 'L’erreur vient de notre côté. Si cela se reproduit, mentionnez cette référence :',
  },
  tooLarge: {
    en: 'The form holds more than the console takes.',
    fr: 'Le formulaire dépasse ce que la console accepte.',
  },
});
