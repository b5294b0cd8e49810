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
    en: 'A self-hosted email service: single emails, subscribers with consent, campaigns and signed webhooks.',
    fr: 'Un service d’e-mail auto-hébergé\u00a0: e-mails à l’unité, abonnés avec consentement, campagnes et webhooks signés.',
  },
  how: {
    en: 'Applications call it with an API key.',
    fr: 'Les applications l’appellent avec une clé d’API.',
  },
  api: { en: 'API', fr: 'API' },
  reference: { en: 'Reference', fr: 'Référence' },
  document: { en: 'OpenAPI', fr: 'OpenAPI' },
  mcp: { en: 'MCP, for AI agents', fr: 'MCP, pour les agents IA' },
  console: { en: 'Console, for operators', fr: 'Console, pour les opérateurs' },
  inbox: { en: 'Local inbox', fr: 'Boîte de réception locale' },
  health: { en: 'Health check', fr: 'État du service' },
});

export const confirmQuestion: Question = {
  title: { en: 'Confirm your subscription', fr: 'Confirmez votre abonnement' },
  paragraphs: [
    {
      en: 'The address {email} was entered to receive messages from {workspace}. If this was you, press the button.',
      fr: 'L’adresse {email} a été indiquée pour recevoir les messages de {workspace}. Si c’est bien vous, appuyez sur le bouton.',
    },
    {
      en: 'If this was not you, close this page: you will not be subscribed.',
      fr: 'Si ce n’est pas vous, fermez cette page\u00a0: rien ne vous sera envoyé.',
    },
  ],
  button: { en: 'Confirm my subscription', fr: 'Confirmer mon abonnement' },
};

export const confirmTexts = noticesOf({
  confirmed: {
    title: { en: 'Your subscription is confirmed', fr: 'Votre abonnement est confirmé' },
    paragraphs: [
      {
        en: '{workspace} will now send messages to {email}. Each message has an unsubscribe link.',
        fr: '{workspace} enverra désormais ses messages à {email}. Chaque message contient un lien de désabonnement.',
      },
      { en: 'You can close this page.', fr: 'Vous pouvez fermer cette page.' },
    ],
  },
  already_confirmed: {
    title: { en: 'Already confirmed', fr: 'Abonnement déjà confirmé' },
    paragraphs: [
      {
        en: 'This link was already used: {email} is subscribed to {workspace}. There is nothing left to do.',
        fr: 'Ce lien a déjà été utilisé\u00a0: {email} reçoit les messages de {workspace}. Vous n’avez rien d’autre à faire.',
      },
    ],
  },
  expired: {
    title: { en: 'This link has expired', fr: 'Ce lien a expiré' },
    paragraphs: [
      {
        en: 'A confirmation link works for seven days. Sign up again to get a new one.',
        fr: 'Un lien de confirmation est valable sept jours. Inscrivez-vous de nouveau pour en recevoir un autre.',
      },
    ],
  },
  tampered: {
    title: { en: 'This link does not work', fr: 'Ce lien ne fonctionne pas' },
    paragraphs: [
      {
        en: 'The link is incomplete or was changed. Open it again from the message that you received. If you copied it, make sure that you copied all of it.',
        fr: 'Le lien est incomplet ou a été modifié. Ouvrez-le de nouveau depuis le message reçu. Si vous l’avez copié, vérifiez qu’il est complet.',
      },
    ],
  },
  unknown: {
    title: { en: 'This sign-up no longer exists', fr: 'Cette inscription n’existe plus' },
    paragraphs: [
      {
        en: 'The link is valid, but its sign-up has been deleted. Nobody was subscribed.',
        fr: 'Le lien est valable, mais l’inscription correspondante a été supprimée. Aucun abonnement n’a été créé.',
      },
    ],
  },
  refused: {
    title: { en: 'This link is no longer valid', fr: 'Ce lien n’est plus valable' },
    paragraphs: [
      {
        en: 'Your sign-up was withdrawn or replaced by a newer one, or messages to {email} could not be delivered. If you have a newer message, use the link in that one. Otherwise sign up again.',
        fr: 'Votre inscription a été annulée ou remplacée par une plus récente, ou des messages n’ont pas pu être remis à {email}. Si vous avez reçu un message plus récent, utilisez son lien. Sinon, inscrivez-vous de nouveau.',
      },
    ],
  },
});

export const declineQuestion: Question = {
  title: { en: 'Was this not you?', fr: 'Ce n’était pas vous\u00a0?' },
  paragraphs: [
    {
      en: 'Somebody entered {email} in a form of {workspace}. Press the button, and {workspace} will send no more confirmation messages to it.',
      fr: 'Quelqu’un a saisi {email} dans un formulaire de {workspace}. Appuyez sur le bouton et {workspace} n’enverra plus de message de confirmation à cette adresse.',
    },
  ],
  button: { en: 'This was not me', fr: 'Ce n’était pas moi' },
};

export const returnQuestion: Question = {
  title: { en: 'Allow confirmation messages again', fr: 'Autoriser de nouveau les messages de confirmation' },
  paragraphs: [
    {
      en: 'Press the button, and {workspace} can send a confirmation message to {email} again when you sign up.',
      fr: 'Appuyez sur le bouton et {workspace} pourra de nouveau envoyer un message de confirmation à {email} lorsque vous vous inscrirez.',
    },
  ],
  button: { en: 'Allow confirmation messages', fr: 'Autoriser les messages de confirmation' },
};

export const declineTexts = noticesOf({
  declined: {
    title: { en: 'No more confirmation messages', fr: 'Plus aucun message de confirmation' },
    paragraphs: [
      {
        en: '{workspace} will send no more confirmation messages to {email}, even if the address is entered again.',
        fr: '{workspace} n’enverra plus de message de confirmation à {email}, même si l’adresse est saisie de nouveau.',
      },
      {
        en: 'If you want to sign up yourself later, request a link that allows it again.',
        fr: 'Si vous souhaitez vous inscrire vous-même plus tard, demandez un lien qui l’autorise de nouveau.',
      },
    ],
  },
  asked: {
    title: { en: 'Check your inbox', fr: 'Consultez votre messagerie' },
    paragraphs: [
      {
        en: 'A message with the link is on its way to {email}. It is sent at most once a day.',
        fr: 'Un message avec le lien est en cours d’envoi à {email}. Il est envoyé au plus une fois par jour.',
      },
    ],
  },
  returned: {
    title: { en: 'Confirmation messages are allowed again', fr: 'Messages de confirmation de nouveau autorisés' },
    paragraphs: [
      {
        en: 'Sign up with the form of {workspace}, and a confirmation message will be sent to {email}.',
        fr: 'Inscrivez-vous avec le formulaire de {workspace}\u00a0: un message de confirmation sera envoyé à {email}.',
      },
    ],
  },
  expired: {
    title: { en: 'This link has expired', fr: 'Ce lien a expiré' },
    paragraphs: [
      {
        en: 'The link works for seven days. To request a new one, use the link “This was not me” in a confirmation message.',
        fr: 'Le lien est valable sept jours. Pour en demander un autre, utilisez le lien «\u00a0Ce n’était pas moi\u00a0» d’un message de confirmation.',
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
      en: 'Press the button, and {workspace} will no longer send messages to {email}.',
      fr: 'Appuyez sur le bouton et {workspace} n’enverra plus de messages à {email}.',
    },
  ],
  button: { en: 'Unsubscribe', fr: 'Me désabonner' },
};

export const unsubscribeTexts = noticesOf({
  unsubscribed: {
    title: { en: 'You are unsubscribed', fr: 'Désabonnement effectué' },
    paragraphs: [
      {
        en: '{workspace} will no longer send messages to {email}.',
        fr: '{workspace} n’enverra plus de messages à {email}.',
      },
      {
        en: 'Was it a mistake? You can subscribe again with the sign-up form.',
        fr: 'C’était une erreur\u00a0? Vous pouvez vous réabonner avec le formulaire d’inscription.',
      },
    ],
  },
  tampered: {
    title: { en: 'This link does not work', fr: 'Ce lien ne fonctionne pas' },
    paragraphs: [
      {
        en: 'The link is incomplete or was changed, so nobody was unsubscribed. Open it again from the message. If you copied it, make sure that you copied all of it.',
        fr: 'Le lien est incomplet ou a été modifié\u00a0: personne n’a été désabonné. Ouvrez-le de nouveau depuis le message. Si vous l’avez copié, vérifiez qu’il est complet.',
      },
      {
        en: 'If it still does not work, reply to the message and ask to be unsubscribed.',
        fr: 'S’il ne fonctionne toujours pas, répondez au message pour demander votre désabonnement.',
      },
    ],
  },
  unknown: {
    title: { en: 'There is nothing to unsubscribe from', fr: 'Aucun abonnement' },
    paragraphs: [
      {
        en: 'The sender of this message no longer exists here and will not write to you again.',
        fr: 'L’expéditeur de ce message n’existe plus ici et ne vous écrira plus.',
      },
    ],
  },
  erased: {
    title: { en: 'Nothing about you is stored', fr: 'Aucune donnée conservée sur vous' },
    paragraphs: [
      {
        en: '{workspace} has erased your data and will not write to you again.',
        fr: '{workspace} a effacé vos données et ne vous écrira plus.',
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
  title: { en: 'Your preferences are saved', fr: 'Vos préférences sont enregistrées' },
  paragraphs: [
    {
      en: 'They apply to everything that {workspace} sends to {email} from now on.',
      fr: 'Elles s’appliquent à tout ce que {workspace} enverra désormais à {email}.',
    },
  ],
};

export const dataQuestion: Question = {
  title: { en: 'The data stored about you', fr: 'Les données conservées sur vous' },
  paragraphs: [
    {
      en: 'This link may have been forwarded, so your data is not shown here: {workspace} sends it to {email}.',
      fr: 'Ce lien a pu être transféré\u00a0: vos données ne sont pas affichées ici, {workspace} les envoie à {email}.',
    },
  ],
  button: { en: 'Send it to me', fr: 'Me les envoyer' },
};

/** The same whether anything is sent or not: a suppressed address gets nothing. */
export const dataAsked: PageNotice = {
  title: { en: 'Check your inbox', fr: 'Consultez votre messagerie' },
  paragraphs: [
    {
      en: 'Your data is on its way to {email}. It is sent at most once a day. Nothing is sent to an address that does not exist or that has reported messages as spam: in that case ask {workspace} directly.',
      fr: 'Vos données sont en cours d’envoi à {email}. Elles sont envoyées au plus une fois par jour. Rien n’est envoyé à une adresse qui n’existe pas ou qui a signalé des messages comme indésirables\u00a0: dans ce cas, adressez-vous directement à {workspace}.',
    },
  ],
};

export const preferenceTexts = textsOf({
  open: { en: 'Choose what you receive instead', fr: 'Choisir plutôt ce que vous recevez' },
  kinds: { en: 'I want to receive', fr: 'Je veux recevoir' },
  tracking: { en: 'Tracking', fr: 'Suivi' },
  opens: { en: 'Do not track whether I open messages', fr: 'Ne pas suivre mes ouvertures' },
  clicks: { en: 'Do not track which links I click', fr: 'Ne pas suivre mes clics' },
  leaveAll: { en: 'Unsubscribe from everything', fr: 'Me désabonner de tout' },
});

export const joinQuestion: Question = {
  title: { en: 'Subscribe', fr: 'S’abonner' },
  paragraphs: [
    {
      en: 'Enter your address to receive the messages of {workspace}. You will get a link to confirm it.',
      fr: 'Indiquez votre adresse pour recevoir les messages de {workspace}. Vous recevrez un lien pour la confirmer.',
    },
  ],
  button: { en: 'Subscribe', fr: 'M’abonner' },
};

export const joinTexts = noticesOf({
  accepted: {
    title: { en: 'Check your inbox', fr: 'Consultez votre messagerie' },
    paragraphs: [
      {
        en: 'A message with a confirmation link is on its way to {email}, if this address can be subscribed. Nothing else is sent until you use the link.',
        fr: 'Un message avec un lien de confirmation est en cours d’envoi à {email}, si cette adresse peut être inscrite. Rien d’autre ne sera envoyé tant que vous n’aurez pas utilisé ce lien.',
      },
      {
        en: 'Nothing there? Check your spam folder.',
        fr: 'Rien reçu\u00a0? Vérifiez vos courriers indésirables.',
      },
    ],
  },
  too_many: {
    title: { en: 'Please wait', fr: 'Veuillez patienter' },
    paragraphs: [
      {
        en: 'There were too many sign-ups from your network. Try again later.',
        fr: 'Il y a eu trop d’inscriptions depuis votre réseau. Réessayez plus tard.',
      },
    ],
  },
  busy: {
    title: { en: 'Please wait', fr: 'Veuillez patienter' },
    paragraphs: [
      {
        en: 'Many people are signing up to {workspace} at the moment, so nothing was sent to you. Try again in an hour.',
        fr: 'De nombreuses personnes s’inscrivent à {workspace} en ce moment\u00a0: rien ne vous a été envoyé. Réessayez dans une heure.',
      },
    ],
  },
  unavailable: {
    title: { en: 'Sign-up is closed for now', fr: 'Inscriptions fermées pour le moment' },
    paragraphs: [
      {
        en: '{workspace} cannot send confirmation messages at the moment. Try again later.',
        fr: '{workspace} ne peut pas envoyer de message de confirmation en ce moment. Réessayez plus tard.',
      },
    ],
  },
  unknown: {
    title: { en: 'Form not found', fr: 'Formulaire introuvable' },
    paragraphs: [
      {
        en: 'The address of this page may be incomplete, or the form may no longer exist.',
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
    en: 'Nothing was sent yet: this page was open for too long. Please send the form again.',
    fr: 'Rien n’a encore été envoyé\u00a0: cette page est restée ouverte trop longtemps. Envoyez de nouveau le formulaire.',
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
