import { textsOf } from '../../../../language/text.ts';

export const automationsTexts = textsOf({
  lead: {
    en: 'Messages that follow from what a person does.',
    fr: 'Des messages qui suivent ce que fait une personne.',
  },
  add: { en: 'Create an automation', fr: 'Créer une automatisation' },
  edit: { en: 'Edit as JSON', fr: 'Modifier en JSON' },
  settings: { en: 'Settings', fr: 'Réglages' },
  duplicate: { en: 'Duplicate', fr: 'Dupliquer' },
  name: { en: 'Name', fr: 'Nom' },
  state: { en: 'Status', fr: 'Statut' },
  version: { en: 'Version', fr: 'Version' },
  updated: { en: 'Changed', fr: 'Modifiée' },
  topic: { en: 'Topic', fr: 'Type d’e-mail' },
  quiet: { en: 'Quiet hours', fr: 'Heures calmes' },
  quietHours: { en: '{from} to {to}, {zone}', fr: 'de {from} à {to}, {zone}' },
  maxDelay: { en: 'Longest delay', fr: 'Retard toléré' },
  reentry: { en: 'Re-entry', fr: 'Retour' },
  once: { en: 'once', fr: 'une seule fois' },
  always: { en: 'always', fr: 'toujours' },
  afterDays: { en: 'after {count} days', fr: 'après {count} jours' },
  held: { en: 'Held', fr: 'Suspendue' },
  emptyTitle: { en: 'No automations yet', fr: 'Aucune automatisation pour l’instant' },
  empty: {
    en: 'Create one to write to people after they subscribe, buy or try something, at the time that suits each of them.',
    fr: 'Créez-en une pour écrire aux personnes après leur inscription, un achat ou un essai, au moment qui convient à chacune.',
  },
  steps: { en: 'Steps', fr: 'Étapes' },
  definition: { en: 'Definition', fr: 'Définition' },
  definitionAdd: { en: 'Write the definition as JSON', fr: 'Écrire la définition en JSON' },
  addHint: {
    en: 'A new automation has only a start and an end. You then add the steps between them.',
    fr: 'Une nouvelle automatisation n’a qu’un départ et une fin. Vous ajoutez ensuite les étapes entre les deux.',
  },
  addButton: { en: 'Create', fr: 'Créer' },
  asSaved: { en: 'The newest version, as it is stored', fr: 'La dernière version, telle qu’elle est enregistrée' },
  definitionHint: {
    en: 'JSON: the steps, how they are connected, and the settings. What is left out has its default. Problems are named with their place, as in steps[1].config.duration.',
    fr: 'JSON : les étapes, leurs connexions et les réglages. Ce qui est omis prend sa valeur par défaut. Chaque problème est indiqué avec son emplacement, comme steps[1].config.duration.',
  },
  notJson: { en: 'is not JSON', fr: 'n’est pas du JSON' },
  notObject: { en: 'must be a JSON object', fr: 'doit être un objet JSON' },
  save: { en: 'Save', fr: 'Enregistrer' },
  newVersion: {
    en: 'Saved changes are a new version: runs that are under way end on the version that they began with.',
    fr: 'Chaque enregistrement crée une nouvelle version : les parcours en cours se terminent sur celle avec laquelle ils ont commencé.',
  },
  enable: { en: 'Enable', fr: 'Activer' },
  drain: { en: 'Let runs end', fr: 'Laisser finir' },
  disable: { en: 'Pause', fr: 'Mettre en pause' },
  stop: { en: 'Stop', fr: 'Arrêter' },
  remove: { en: 'Delete', fr: 'Supprimer' },
});

export const statusTexts = textsOf({
  disabled: { en: 'disabled', fr: 'désactivée' },
  enabled: { en: 'enabled', fr: 'active' },
  draining: { en: 'runs end', fr: 'se termine' },
});

export const holdTexts = textsOf({
  template_deleted: { en: 'a template was deleted', fr: 'un modèle a été supprimé' },
  unverified_from_domain: {
    en: 'the domain of a sender is not verified',
    fr: 'le domaine d’un expéditeur n’est pas vérifié',
  },
  reputation_blocked: { en: 'sending is suspended', fr: 'les envois sont suspendus' },
  quota_exceeded: { en: 'the quota of the month is used up', fr: 'le quota du mois est épuisé' },
  provider_refuses: { en: 'the sending provider refuses', fr: 'le prestataire d’envoi refuse' },
});

/** What each change does, asked before it is made. */
export const questionTexts = textsOf({
  enableTitle: { en: 'Enable {name}?', fr: 'Activer {name} ?' },
  enableWhat: {
    en: 'From now on it writes by itself to each person who enters. Runs that were paused go on: waits that are over by now end at once.',
    fr: 'Elle écrira désormais d’elle-même à chaque personne qui entre. Les parcours en pause reprennent : les attentes arrivées à échéance prennent fin aussitôt.',
  },
  drainTitle: { en: 'Let the runs of {name} end?', fr: 'Laisser finir les parcours de {name} ?' },
  drainWhat: {
    en: 'Nobody enters any more. The people who are in it get the rest of its messages.',
    fr: 'Plus personne n’entre. Les personnes déjà entrées reçoivent la suite des messages.',
  },
  disableTitle: { en: 'Pause {name}?', fr: 'Mettre {name} en pause ?' },
  disableWhat: {
    en: 'Nobody enters and no message is sent. The time of waits goes on, and the runs stay until you enable it again.',
    fr: 'Personne n’entre et aucun message ne part. Les délais continuent de courir, et les parcours restent en place jusqu’à la réactivation.',
  },
  stopTitle: { en: 'Stop {name}?', fr: 'Arrêter {name} ?' },
  stopWhat: {
    en: 'Every run that is under way ends for good, within seconds. Nobody gets the rest of its messages, even if you enable it again.',
    fr: 'Tous les parcours en cours prennent fin pour de bon, en quelques secondes. Personne ne reçoit la suite des messages, même après une réactivation.',
  },
  removeTitle: { en: 'Delete {name}?', fr: 'Supprimer {name} ?' },
  removeWhat: {
    en: 'It and every run that is under way end for good. Its runs stay readable by the API.',
    fr: 'Elle et tous les parcours en cours prennent fin pour de bon. Ses parcours restent lisibles par l’API.',
  },
});

/** What a step does. Names and values stand in the places of the braces. */
export const stepTexts = textsOf({
  starts: { en: 'Starts when {x}', fr: 'Commence quand {x}' },
  event: { en: 'the event {x} is recorded', fr: 'l’événement {x} est enregistré' },
  filtered: { en: ', if {x}', fr: ', si {x}' },
  subscribed: { en: 'a person subscribes', fr: 'une personne s’abonne' },
  tagAdded: { en: 'a person gets the tag {x}', fr: 'une personne reçoit l’étiquette {x}' },
  fieldChanged: { en: 'the field {x} of a person changes', fr: 'le champ {x} d’une personne change' },
  segmentEntered: { en: 'a person enters the segment {x}', fr: 'une personne entre dans le segment {x}' },
  date: { en: 'it is {at} ({zone}) on the date in {x}', fr: 'il est {at} ({zone}) à la date de {x}' },
  manual: { en: 'a call starts it', fr: 'un appel la déclenche' },
  send: { en: 'Send {x}', fr: 'Envoyer {x}' },
  template: { en: 'the template {x}', fr: 'le modèle {x}' },
  delay: { en: 'Wait {x}', fr: 'Attendre {x}' },
  until: { en: 'until {x} ({zone})', fr: 'jusqu’à {x} ({zone})' },
  untilField: { en: 'until the date in {x}, {at} ({zone})', fr: 'jusqu’à la date de {x}, {at} ({zone})' },
  wait: { en: 'Wait for {x}, at most {time}', fr: 'Attendre {x}, au plus {time}' },
  waitEvent: { en: 'the event {x}', fr: 'l’événement {x}' },
  waitOpened: { en: 'the message of {x} to be opened', fr: 'l’ouverture du message de {x}' },
  waitClicked: { en: 'a click in the message of {x}', fr: 'un clic dans le message de {x}' },
  condition: { en: 'If {x}', fr: 'Si {x}' },
  update: { en: 'Change the person: {x}', fr: 'Modifier la personne : {x}' },
  webhook: { en: 'Report to the webhook {x}', fr: 'Signaler au webhook {x}' },
  exit: { en: 'Leave {x}', fr: 'Sortir {x}' },
});

export const branchTexts = textsOf({
  condition_met: { en: 'Yes', fr: 'Oui' },
  condition_not_met: { en: 'No', fr: 'Non' },
  event_received: { en: 'It came', fr: 'Arrivé' },
  timeout: { en: 'It did not come', fr: 'Pas arrivé' },
  ends: { en: 'The run ends here.', fr: 'Le parcours se termine ici.' },
  goesOn: { en: 'Goes on at {x}', fr: 'Continue à {x}' },
});

/** The numbers in the drawing, of one version. */
export const drawingTexts = textsOf({
  entered: { en: 'Entered', fr: 'Entrés' },
  waiting: { en: 'Waiting now', fr: 'En attente' },
  completed: { en: 'Completed', fr: 'Terminés' },
  skipped: { en: 'Skipped', fr: 'Omis' },
  failed: { en: 'Failed', fr: 'Échoués' },
  left: { en: 'Ended here', fr: 'Arrêtés ici' },
  sent: { en: 'Sent', fr: 'Envoyés' },
  unknown: { en: 'Unknown whether sent', fr: 'Envoi incertain' },
  opened: { en: 'Opened', fr: 'Ouverts' },
  clicked: { en: 'Clicked', fr: 'Cliqués' },
  taken: { en: 'Runs', fr: 'Parcours' },
  runs: {
    en: 'Runs of version {version}: {started} started, {running} running, {completed} completed, {cancelled} cancelled, {failed} failed.',
    fr: 'Parcours de la version {version}\u00a0: {started} commencés, {running} en cours, {completed} terminés, {cancelled} annulés, {failed} échoués.',
  },
  noRuns: { en: 'No run of version {version} yet.', fr: 'Aucun parcours de la version {version} pour l’instant.' },
  earlier: { en: 'Show version {version}', fr: 'Afficher la version {version}' },
  newest: { en: 'Show the newest version', fr: 'Afficher la dernière version' },
  edit: { en: 'Edit', fr: 'Modifier' },
  add: { en: 'Add a step', fr: 'Ajouter une étape' },
  after: { en: 'after {x}', fr: 'après {x}' },
});

/** Around a form that changes the definition. */
export const changeTexts = textsOf({
  overtaken: {
    en: 'This automation was changed after this form was opened. What you wrote is still below: compare it with the newest version, then save it again to apply it there.',
    fr: 'Cette automatisation a été modifiée après l’ouverture de ce formulaire. Votre saisie est encore ci-dessous\u00a0: comparez-la à la dernière version, puis enregistrez de nouveau pour l’y appliquer.',
  },
  showNewest: { en: 'Show the newest version', fr: 'Afficher la dernière version' },
  gone: { en: 'the step {x} does not exist any more', fr: 'l’étape {x} n’existe plus' },
});

/** The form of the settings. */
export const settingsTexts = textsOf({
  reentry: { en: 'A person can enter', fr: 'Une personne peut entrer' },
  afterDays: { en: 'again after some days', fr: 'de nouveau après quelques jours' },
  days: { en: 'Days since the last start', fr: 'Jours depuis le dernier départ' },
  daysWrong: { en: 'must be a number from 1 to 400', fr: 'doit être un nombre de 1 à 400' },
  runKey: { en: 'One run for each value of', fr: 'Un parcours pour chaque valeur de' },
  runKeyHint: {
    en: 'For example event.order_id: a person may have one run for each order. Empty: one run for each person.',
    fr: 'Par exemple event.order_id\u00a0: une personne peut avoir un parcours pour chaque commande. Vide\u00a0: un parcours par personne.',
  },
  fromHint: { en: 'Empty: the sender of the workspace.', fr: 'Vide\u00a0: l’expéditeur de l’espace.' },
  noTopic: { en: 'none', fr: 'aucun' },
  quietHint: {
    en: 'A message waits until they end. Empty: no quiet hours.',
    fr: 'Un message attend leur fin. Vide\u00a0: pas d’heures calmes.',
  },
  quietFrom: { en: 'From', fr: 'De' },
  quietTo: { en: 'To', fr: 'À' },
  goals: { en: 'Goals', fr: 'Objectifs' },
  goalsHint: {
    en: 'A goal that is reached ends the run: an event at once, a rule before the next step.',
    fr: 'Un objectif atteint termine le parcours\u00a0: un événement aussitôt, une règle avant la prochaine étape.',
  },
  goal: { en: 'Goal', fr: 'Objectif' },
  goalEnds: { en: 'Reached by', fr: 'Atteint par' },
  goalNone: { en: 'no goal', fr: 'pas d’objectif' },
  goalEvent: { en: 'an event', fr: 'un événement' },
  goalRule: { en: 'a rule', fr: 'une règle' },
  goalIf: { en: 'Reached if', fr: 'Atteint si' },
});
