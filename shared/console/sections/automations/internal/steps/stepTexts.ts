import { textsOf } from '../../../../../language/text.ts';

/** The pages on one step. */
export const stepPageTexts = textsOf({
  title: { en: 'Step {x}', fr: 'Étape {x}' },
  add: { en: 'Add a step after {x}', fr: 'Ajouter une étape après {x}' },
  choose: { en: 'What should happen next?', fr: 'Que doit-il se passer ensuite\u00a0?' },
  key: { en: 'Name of the step', fr: 'Nom de l’étape' },
  keyHint: {
    en: 'A short name of A-Z a-z 0-9 _ -. Rules and merge fields refer to the step by it.',
    fr: 'Un nom court en A-Z a-z 0-9 _ -, par lequel les règles et les champs de fusion désignent l’étape.',
  },
  leads: { en: 'What follows', fr: 'La suite' },
  default: { en: 'Then', fr: 'Ensuite' },
  condition_met: { en: 'If yes', fr: 'Si oui' },
  condition_not_met: { en: 'If no', fr: 'Si non' },
  event_received: { en: 'If it came', fr: 'Si c’est arrivé' },
  timeout: { en: 'If it did not come in time', fr: 'Si ce n’est pas arrivé à temps' },
  ends: { en: 'the run ends', fr: 'le parcours se termine' },
  save: { en: 'Save', fr: 'Enregistrer' },
  addButton: { en: 'Add', fr: 'Ajouter' },
  remove: { en: 'Remove this step', fr: 'Retirer cette étape' },
  removeTitle: { en: 'Remove the step {x}?', fr: 'Retirer l’étape {x}\u00a0?' },
  removeWhat: {
    en: 'Runs that are under way end on the version that they began with.',
    fr: 'Les parcours en cours se terminent sur la version avec laquelle ils ont commencé.',
  },
  thenGoesOn: { en: 'What comes before it then goes on at {x}.', fr: 'Ce qui la précède continue alors à {x}.' },
  thenEnds: { en: 'What comes before it then ends.', fr: 'Ce qui la précède se termine alors.' },
  decide: {
    en: 'Its branches lead to different steps: which branch stays?',
    fr: 'Ses branches mènent à des étapes différentes\u00a0: laquelle garder\u00a0?',
  },
  decideWrong: { en: 'choose one', fr: 'choisissez-en une' },
  lost: {
    en: 'Nothing leads to these steps then, and they are removed too: {x}.',
    fr: 'Plus rien ne mène alors à ces étapes, qui sont retirées aussi\u00a0: {x}.',
  },
  noTrigger: {
    en: 'A trigger cannot be removed: edit it instead.',
    fr: 'Un déclencheur ne se retire pas\u00a0: modifiez-le.',
  },
});

/** The types of steps, as a choice, and as the word for a step in a list. */
export const typeTexts = textsOf({
  trigger: { en: 'Trigger', fr: 'Déclencheur' },
  send_email: { en: 'Send a message', fr: 'Envoyer un message' },
  delay: { en: 'Wait for some time', fr: 'Attendre un certain temps' },
  wait_for_event: {
    en: 'Wait for an event, an open or a click',
    fr: 'Attendre un événement, une ouverture ou un clic',
  },
  condition: { en: 'Decide by a condition', fr: 'Décider selon une condition' },
  subscriber_update: { en: 'Change the person', fr: 'Modifier la personne' },
  webhook: { en: 'Report to a webhook', fr: 'Signaler à un webhook' },
  exit: { en: 'End the run', fr: 'Terminer le parcours' },
});
