import { textsOf } from '../../../../language/text.ts';

export const simulationTexts = textsOf({
  simulate: { en: 'Simulate', fr: 'Simuler' },
  lead: {
    en: 'At which step each person would be, and what would go out on which day. Nothing is sent or changed.',
    fr: 'À quelle étape serait chaque personne, et quels messages partiraient quel jour. Rien n’est envoyé ni modifié.',
  },
  population: { en: 'Who', fr: 'Qui' },
  audience: {
    en: 'Everyone its trigger could start now',
    fr: 'Toutes les personnes que son déclencheur peut faire entrer',
  },
  open_runs: {
    en: 'Everyone who is in it now, from their current step',
    fr: 'Les personnes qui y sont déjà, à partir de leur étape actuelle',
  },
  replay: {
    en: 'Everyone whose event was recorded in the last days',
    fr: 'Les personnes dont l’événement a été enregistré ces derniers jours',
  },
  emails: { en: 'One person', fr: 'Une personne' },
  email: { en: 'Address of the person', fr: 'Adresse de la personne' },
  days: { en: 'Days', fr: 'Jours' },
  daysHint: { en: '1 to 90.', fr: 'De 1 à 90.' },
  replayDays: { en: 'Days of events to replay', fr: 'Jours d’événements à rejouer' },
  zone: { en: 'Time zone', fr: 'Fuseau horaire' },
  date: { en: 'Count people at noon on', fr: 'Jour du décompte (à midi)' },
  dateHint: { en: 'Empty: at the end of the simulation.', fr: 'Vide : à la fin de la simulation.' },
  events: { en: 'Events that will arrive', fr: 'Événements qui arriveront' },
  eventsHint: {
    en: 'Names, separated by commas. Each arrives as soon as a person waits for it; no other event does.',
    fr: 'Des noms, séparés par des virgules. Chacun arrive dès qu’une personne l’attend ; aucun autre n’arrive.',
  },
  assumed: { en: 'Everyone also', fr: 'De plus, chaque personne' },
  opened: { en: 'opens messages', fr: 'ouvre les messages' },
  clicked: { en: 'clicks links', fr: 'clique sur les liens' },
  run: { en: 'Simulate', fr: 'Simuler' },
  people: { en: 'People', fr: 'Personnes' },
  messages: { en: 'Messages', fr: 'Messages' },
  sampled: { en: 'From a sample', fr: 'D’après un échantillon' },
  where: { en: 'Where people would be', fr: 'À quelle étape seraient les personnes' },
  nobody: { en: 'Nobody would be in it then.', fr: 'Personne ne s’y trouverait alors.' },
  timeline: { en: 'Day by day', fr: 'Jour par jour' },
  nothing: { en: 'Nothing happens in these days.', fr: 'Il ne se passe rien pendant ces jours.' },
  day: { en: 'Day', fr: 'Jour' },
  step: { en: 'Step', fr: 'Étape' },
  excluded: { en: 'Left out', fr: 'Écartées' },
  path: { en: 'The path of this person', fr: 'Le parcours de cette personne' },
  reached: { en: 'Reached', fr: 'Atteinte' },
  badDate: { en: 'must be a date such as 2026-12-01', fr: 'doit être une date comme 2026-12-01' },
});

/** Why a run would not start, or end at once. Others have no words of their own. */
export const exclusionTexts = textsOf({
  not_subscribed: { en: 'not subscribed', fr: 'pas abonnée' },
  unknown_subscriber: { en: 'no subscriber', fr: 'pas dans la liste' },
  already_running: { en: 'already in it', fr: 'déjà dans l’automatisation' },
  reentry: { en: 'was in it before', fr: 'y a déjà été' },
  too_many_starts: { en: 'started too often that day', fr: 'entrée trop souvent ce jour-là' },
  filtered: { en: 'left out by the filter', fr: 'écartée par le filtre' },
  too_old: { en: 'the event was reported too late', fr: 'événement signalé trop tard' },
  stopped: { en: 'stopped', fr: 'arrêtée' },
});
