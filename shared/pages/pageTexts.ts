import { type Text, textsOf } from '../language/text.ts';

/**
 * A page's texts. `{workspace}` and `{email}` are filled in; a no-break space comes before a French colon, question mark
 * or semicolon, so that none begins a line on a phone.
 */
export interface PageNotice {
  readonly title: Text;
  readonly paragraphs: readonly Text[];
}

/** A notice with a button. */
export interface Question extends PageNotice {
  readonly button: Text;
}

/* @__NO_SIDE_EFFECTS__ */
function noticesOf<Name extends string>(table: Readonly<Record<Name, PageNotice>>): Readonly<Record<Name, PageNotice>> {
  return table;
}

export const startTexts = textsOf({
  title: { en: 'Mailroom', fr: 'Mailroom' },
  what: {
    en: 'A self-hosted email service: single emails, subscribers with consent, campaigns, and signed webhooks.',
    fr: 'Un service d’e-mail auto-hébergé\u00a0: e-mails à l’unité, abonnés avec consentement, campagnes et webhooks signés.',
  },
  how: {
    en: 'Programs call it with an API key from its operator.',
    fr: 'Les programmes l’appellent avec une clé API fournie par son opérateur.',
  },
  api: { en: 'API', fr: 'API' },
  reference: { en: 'Reference', fr: 'Référence' },
  document: { en: 'OpenAPI', fr: 'OpenAPI' },
  mcp: { en: 'MCP, for agents', fr: 'MCP, pour les agents' },
  console: { en: 'Console, for people', fr: 'Console, pour les personnes' },
  inbox: { en: 'Inbox of this machine', fr: 'Boîte de réception de cette machine' },
  health: { en: 'For monitors', fr: 'Pour la surveillance' },
});

export const confirmQuestion: Question = {
  title: { en: 'Confirm your subscription', fr: 'Confirmez votre abonnement' },
  paragraphs: [
    {
      en: '{workspace} was asked to write to {email}. If it was you who asked, press the button.',
      fr: 'On a demandé à {workspace} d’écrire à {email}. Si la demande vient de vous, appuyez sur le bouton.',
    },
    {
      en: 'If it was not you, close this page: you will not be subscribed.',
      fr: 'Si elle ne vient pas de vous, fermez cette page\u00a0: rien ne vous sera envoyé.',
    },
  ],
  button: { en: 'Confirm my subscription', fr: 'Confirmer mon abonnement' },
};

export const confirmTexts = noticesOf({
  confirmed: {
    title: { en: 'Your subscription is confirmed', fr: 'Votre abonnement est confirmé' },
    paragraphs: [
      {
        en: '{workspace} will write to {email} from now on. Each message has a link to unsubscribe.',
        fr: '{workspace} écrira désormais à {email}. Chaque message contient un lien pour vous désabonner.',
      },
      { en: 'You can close this page.', fr: 'Vous pouvez fermer cette page.' },
    ],
  },
  already_confirmed: {
    title: { en: 'Already confirmed', fr: 'Abonnement déjà confirmé' },
    paragraphs: [
      {
        en: 'This link has done its work: {email} is subscribed to {workspace}. There is nothing left to do.',
        fr: 'Ce lien a déjà servi\u00a0: {email} reçoit les messages de {workspace}. Il n’y a plus rien à faire.',
      },
    ],
  },
  expired: {
    title: { en: 'This link has expired', fr: 'Ce lien a expiré' },
    paragraphs: [
      {
        en: 'A confirmation link works for seven days. Sign up again, and a new one will be sent to you.',
        fr: 'Un lien de confirmation est valable sept jours. Inscrivez-vous de nouveau et vous en recevrez un autre.',
      },
    ],
  },
  tampered: {
    title: { en: 'This link does not work', fr: 'Ce lien ne fonctionne pas' },
    paragraphs: [
      {
        en: 'It is incomplete or was changed on its way. Open it again from the message that you received; if you copied it, copy all of it.',
        fr: 'Il est incomplet ou a été modifié en chemin. Ouvrez-le de nouveau depuis le message reçu\u00a0; si vous l’avez copié, copiez-le en entier.',
      },
    ],
  },
  unknown: {
    title: { en: 'This sign-up no longer exists', fr: 'Cette inscription n’existe plus' },
    paragraphs: [
      {
        en: 'The link is genuine, but the sign-up that it belongs to is gone. Nobody was subscribed.',
        fr: 'Le lien est authentique, mais l’inscription à laquelle il se rapporte a disparu. Aucun abonnement n’a été créé.',
      },
    ],
  },
  refused: {
    title: { en: 'This link is no longer valid', fr: 'Ce lien n’est plus valable' },
    paragraphs: [
      {
        en: 'The request behind it was withdrawn or replaced by a newer one, or messages to {email} came back. If a newer message is in your inbox, use the link in that one; else sign up again.',
        fr: 'La demande a été retirée ou remplacée par une plus récente, ou bien des messages à {email} sont revenus. Si un message plus récent vous est parvenu, utilisez son lien\u00a0; sinon, inscrivez-vous de nouveau.',
      },
    ],
  },
});

export const declineQuestion: Question = {
  title: { en: 'It was not you?', fr: 'Ce n’était pas vous\u00a0?' },
  paragraphs: [
    {
      en: 'Somebody typed {email} into a form of {workspace}. Press the button, and {workspace} sends no more confirmations to it.',
      fr: 'Quelqu’un a saisi {email} dans un formulaire de {workspace}. Appuyez sur le bouton et {workspace} n’enverra plus de confirmation à cette adresse.',
    },
  ],
  button: { en: 'It was not me', fr: 'Ce n’était pas moi' },
};

export const returnQuestion: Question = {
  title: { en: 'Receive confirmations again', fr: 'Recevoir de nouveau des confirmations' },
  paragraphs: [
    {
      en: 'Press the button, and {workspace} may send a confirmation to {email} again when you sign up.',
      fr: 'Appuyez sur le bouton et {workspace} pourra de nouveau envoyer une confirmation à {email} quand vous vous inscrirez.',
    },
  ],
  button: { en: 'Allow confirmations', fr: 'Autoriser les confirmations' },
};

export const declineTexts = noticesOf({
  declined: {
    title: { en: 'No more confirmations', fr: 'Plus aucune confirmation' },
    paragraphs: [
      {
        en: '{workspace} sends no more confirmations to {email}, whoever asks for them.',
        fr: '{workspace} n’enverra plus de confirmation à {email}, quelle que soit la personne qui la demande.',
      },
      {
        en: 'If you want to sign up yourself one day, have a link sent to you that allows it again.',
        fr: 'Si vous souhaitez un jour vous inscrire vous-même, faites-vous envoyer un lien qui l’autorise de nouveau.',
      },
    ],
  },
  asked: {
    title: { en: 'Look in your inbox', fr: 'Consultez votre messagerie' },
    paragraphs: [
      {
        en: 'A message with the link is on its way to {email}, once a day at most.',
        fr: 'Un message avec le lien est en route vers {email}, une fois par jour au plus.',
      },
    ],
  },
  returned: {
    title: { en: 'Confirmations are allowed again', fr: 'Confirmations de nouveau autorisées' },
    paragraphs: [
      {
        en: 'Sign up to {workspace} with the form, and a confirmation is sent to {email}.',
        fr: 'Inscrivez-vous à {workspace} par le formulaire et une confirmation sera envoyée à {email}.',
      },
    ],
  },
  expired: {
    title: { en: 'This link has expired', fr: 'Ce lien a expiré' },
    paragraphs: [
      {
        en: 'It works for seven days. Have another one sent to you from the page of a confirmation.',
        fr: 'Il est valable sept jours. Faites-vous en envoyer un autre depuis la page d’une confirmation.',
      },
    ],
  },
  tampered: confirmTexts.tampered,
  unknown: confirmTexts.unknown,
});

export const unsubscribeQuestion: Question = {
  title: { en: 'Unsubscribe', fr: 'Se désabonner' },
  paragraphs: [
    {
      en: 'Press the button and {workspace} will no longer write to {email}.',
      fr: 'Appuyez sur le bouton et {workspace} n’écrira plus à {email}.',
    },
  ],
  button: { en: 'Unsubscribe', fr: 'Me désabonner' },
};

export const unsubscribeTexts = noticesOf({
  unsubscribed: {
    title: { en: 'You are unsubscribed', fr: 'Désabonnement effectué' },
    paragraphs: [
      {
        en: '{workspace} will no longer write to {email}.',
        fr: '{workspace} n’écrira plus à {email}.',
      },
      {
        en: 'Was it a mistake? You can come back with the sign-up form.',
        fr: 'C’était une erreur\u00a0? Vous pouvez revenir par le formulaire d’inscription.',
      },
    ],
  },
  tampered: {
    title: { en: 'This link does not work', fr: 'Ce lien ne fonctionne pas' },
    paragraphs: [
      {
        en: 'It is incomplete or was changed on its way, so nobody was unsubscribed. Open it again from the message; if you copied it, copy all of it.',
        fr: 'Il est incomplet ou a été modifié en chemin\u00a0: personne n’a été désabonné. Ouvrez-le de nouveau depuis le message\u00a0; si vous l’avez copié, copiez-le en entier.',
      },
      {
        en: 'If it still does not work, answer the message and ask to be removed.',
        fr: 'S’il ne fonctionne toujours pas, répondez au message en demandant votre retrait.',
      },
    ],
  },
  unknown: {
    title: { en: 'There is nothing to unsubscribe from', fr: 'Il n’y a plus d’abonnement' },
    paragraphs: [
      {
        en: 'The sender of this message no longer exists here and will not write to you again.',
        fr: 'L’expéditeur de ce message n’existe plus ici et ne vous écrira plus.',
      },
    ],
  },
  erased: {
    title: { en: 'Nothing about you is stored', fr: 'Plus rien n’est conservé sur vous' },
    paragraphs: [
      {
        en: '{workspace} has erased what it stored about you, and will not write to you again.',
        fr: '{workspace} a effacé ce qui vous concernait et ne vous écrira plus.',
      },
    ],
  },
});

export const preferencesQuestion: Question = {
  title: { en: 'What you receive', fr: 'Ce que vous recevez' },
  paragraphs: [
    {
      en: 'Choose what {workspace} may send to {email}.',
      fr: 'Choisissez ce que {workspace} peut envoyer à {email}.',
    },
  ],
  button: { en: 'Save', fr: 'Enregistrer' },
};

export const preferencesSaved: PageNotice = {
  title: { en: 'Your choice is saved', fr: 'Votre choix est enregistré' },
  paragraphs: [
    {
      en: 'It holds for everything that {workspace} sends to {email} from now on.',
      fr: 'Il vaut pour tout ce que {workspace} enverra désormais à {email}.',
    },
  ],
};

export const dataQuestion: Question = {
  title: { en: 'What is stored about you', fr: 'Ce qui est conservé sur vous' },
  paragraphs: [
    {
      en: 'This link may have been forwarded, so it is not shown here: {workspace} sends it to {email}.',
      fr: 'Ce lien a pu être transféré\u00a0: rien n’est montré ici, {workspace} l’envoie à {email}.',
    },
  ],
  button: { en: 'Send it to me', fr: 'Me l’envoyer' },
};

/** The same whether anything is sent or not: a suppressed address gets nothing. */
export const dataAsked: PageNotice = {
  title: { en: 'Look in your inbox', fr: 'Consultez votre messagerie' },
  paragraphs: [
    {
      en: 'What {workspace} has stored is on its way to {email}, once a day at most. Nothing is sent to an address that does not exist, or that has reported our mail as spam: then ask {workspace} directly.',
      fr: 'Ce que {workspace} conserve part vers {email}, une fois par jour au plus. Rien n’est envoyé à une adresse inexistante ou qui a signalé nos messages comme indésirables\u00a0: demandez-le alors directement à {workspace}.',
    },
  ],
};

export const preferenceTexts = textsOf({
  open: { en: 'Choose what you receive instead', fr: 'Plutôt choisir ce que vous recevez' },
  kinds: { en: 'I want to receive', fr: 'Je veux recevoir' },
  tracking: { en: 'Tracking', fr: 'Suivi' },
  untracked: {
    en: 'Do not record whether I open a message or follow a link',
    fr: 'Ne pas enregistrer si j’ouvre un message ou suis un lien',
  },
  leaveAll: { en: 'Unsubscribe from everything', fr: 'Se désabonner de tout' },
});

export const joinQuestion: Question = {
  title: { en: 'Subscribe', fr: 'S’abonner' },
  paragraphs: [
    {
      en: 'Give your address to receive the messages of {workspace}. You will be sent a link to confirm it.',
      fr: 'Indiquez votre adresse pour recevoir les messages de {workspace}. Un lien vous sera envoyé pour la confirmer.',
    },
  ],
  button: { en: 'Subscribe', fr: 'M’abonner' },
};

export const joinTexts = noticesOf({
  accepted: {
    title: { en: 'Look in your inbox', fr: 'Consultez votre messagerie' },
    paragraphs: [
      {
        en: 'A message with a link to confirm is on its way to {email}, if that address can be subscribed. Until you use the link, nothing else will be sent.',
        fr: 'Un message avec un lien de confirmation est en route vers {email}, si cette adresse peut être inscrite. Tant que vous n’utilisez pas ce lien, rien d’autre ne sera envoyé.',
      },
      {
        en: 'Nothing there? Look in your spam folder.',
        fr: 'Rien reçu\u00a0? Regardez dans vos courriers indésirables.',
      },
    ],
  },
  too_many: {
    title: { en: 'Please wait a little', fr: 'Un peu de patience' },
    paragraphs: [
      {
        en: 'Too many sign-ups came from your network. Try again later.',
        fr: 'Trop d’inscriptions sont venues de votre réseau. Réessayez plus tard.',
      },
    ],
  },
  busy: {
    title: { en: 'Please wait a little', fr: 'Un peu de patience' },
    paragraphs: [
      {
        en: 'Many people are signing up to {workspace} at the moment, and nothing was sent to you. Try again in an hour.',
        fr: 'Les inscriptions à {workspace} sont très nombreuses en ce moment et rien ne vous a été envoyé. Réessayez dans une heure.',
      },
    ],
  },
  unavailable: {
    title: { en: 'Sign-up is closed for now', fr: 'Inscriptions indisponibles pour le moment' },
    paragraphs: [
      {
        en: '{workspace} cannot send confirmations at the moment. Try again later.',
        fr: '{workspace} ne peut pas envoyer de confirmation en ce moment. Réessayez plus tard.',
      },
    ],
  },
  unknown: {
    title: { en: 'There is no form here', fr: 'Il n’y a pas de formulaire ici' },
    paragraphs: [
      {
        en: 'The address of this page may be incomplete, or the form may be closed.',
        fr: 'L’adresse de cette page est peut-être incomplète, ou le formulaire n’existe plus.',
      },
    ],
  },
});

export const fieldTexts = textsOf({
  email: { en: 'Email address', fr: 'Adresse e-mail' },
  firstName: { en: 'First name (optional)', fr: 'Prénom (facultatif)' },
  lastName: { en: 'Last name (optional)', fr: 'Nom (facultatif)' },
  privacy: { en: 'How your data is used (opens a new page)', fr: 'Utilisation de vos données (nouvelle page)' },
  trap: { en: 'Leave this field empty', fr: 'Laissez ce champ vide' },
  /** Between the two parts of a title. */
  colon: { en: ': ', fr: '\u00a0: ' },
  errorTitle: { en: 'Error', fr: 'Erreur' },
  errorSummary: {
    en: 'Nothing was sent yet. Please correct what is marked below.',
    fr: 'Rien n’a encore été envoyé. Corrigez ce qui est signalé ci-dessous.',
  },
  stale: {
    en: 'Nothing was sent yet: this page was open for too long. Please send the form once more.',
    fr: 'Rien n’a encore été envoyé\u00a0: cette page est restée ouverte trop longtemps. Envoyez le formulaire encore une fois.',
  },
  emailMissing: { en: 'Enter your email address.', fr: 'Indiquez votre adresse e-mail.' },
  /** `{problem}` is a sentence that reads on after the name of a field. */
  emailProblem: { en: 'The address {problem}.', fr: 'L’adresse {problem}.' },
  nameProblem: { en: 'The name {problem}.', fr: 'Le nom {problem}.' },
  answerProblem: { en: 'This answer {problem}.', fr: 'Cette réponse {problem}.' },
  /** A question of the workspace's own. */
  optional: { en: '{label} (optional)', fr: '{label} (facultatif)' },
  noChoice: { en: 'No answer', fr: 'Sans réponse' },
});

export const linkTexts = textsOf({
  sendReturn: { en: 'Send me the link', fr: 'M’envoyer le lien' },
  signUpAgain: { en: 'Sign up again', fr: 'S’inscrire de nouveau' },
  signUpForm: { en: 'Go to the sign-up form', fr: 'Aller au formulaire d’inscription' },
});

export const failureTexts: PageNotice = {
  title: { en: 'Something went wrong', fr: 'Une erreur est survenue' },
  paragraphs: [
    {
      en: 'The fault is ours. Please try again in a moment.',
      fr: 'L’erreur vient de notre côté. Réessayez dans un instant.',
    },
    {
      en: 'If it happens again, mention this reference: {reference}',
      fr: 'Si cela se reproduit, mentionnez cette référence\u00a0: {reference}',
    },
  ],
};

export const tooLargeTexts: PageNotice = {
  title: { en: 'The form is too large', fr: 'Le formulaire est trop volumineux' },
  paragraphs: [
    {
      en: 'It contains more than this page accepts. Go back and try again.',
      fr: 'Il contient plus que cette page n’accepte. Revenez en arrière et réessayez.',
    },
  ],
};
