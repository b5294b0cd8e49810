import { textsOf } from '../../../language/text.ts';

export const peopleTexts = textsOf({
  lead: {
    en: 'Subscribers of this workspace, the newest first.',
    fr: 'Les abonnés de cet espace, les plus récents d’abord.',
  },
  search: { en: 'Address or name', fr: 'Adresse ou nom' },
  status: { en: 'Status', fr: 'Statut' },
  any: { en: 'All', fr: 'Tous' },
  find: { en: 'Show', fr: 'Afficher' },
  add: { en: 'Add a person', fr: 'Ajouter une personne' },
  import: { en: 'Import', fr: 'Importer' },
  exportAll: { en: 'Export', fr: 'Exporter' },
  edit: { en: 'Edit', fr: 'Modifier' },
  address: { en: 'Address', fr: 'Adresse' },
  name: { en: 'Name', fr: 'Nom' },
  tags: { en: 'Tags', fr: 'Étiquettes' },
  since: { en: 'Since', fr: 'Depuis' },
  firstName: { en: 'First name', fr: 'Prénom' },
  lastName: { en: 'Last name', fr: 'Nom de famille' },
  tagsHint: { en: 'With commas between them.', fr: 'Séparées par des virgules.' },
  fields: { en: 'Fields', fr: 'Champs' },
  fieldsHint: {
    en: 'One a line, as name = value. A line that goes takes its field away.',
    fr: 'Un par ligne, sous la forme nom = valeur. Une ligne retirée supprime son champ.',
  },
  fieldsLine: { en: 'has a line without "=": {line}', fr: 'a une ligne sans « = » : {line}' },
  consent: { en: 'Consent', fr: 'Consentement' },
  askFirst: { en: 'Ask them to confirm', fr: 'Demander confirmation' },
  askFirstHint: {
    en: 'They are sent a link, and are written to only once they have used it.',
    fr: 'Un lien leur est envoyé ; rien d’autre ne part avant qu’il ait servi.',
  },
  given: { en: 'They have agreed already', fr: 'Le consentement est déjà donné' },
  givenHint: {
    en: 'You answer for it, and the audit log names you. Nobody is asked.',
    fr: 'Vous en répondez, et le journal d’audit vous nomme. Rien n’est demandé.',
  },
  noSender: {
    en: 'There is no sender to ask them from: register one of a verified domain under Domains first.',
    fr: 'Aucun expéditeur pour le leur demander : enregistrez-en un d’un domaine vérifié dans Domaines.',
  },
  save: { en: 'Save', fr: 'Enregistrer' },
  addButton: { en: 'Add', fr: 'Ajouter' },
  emptyTitle: { en: 'Nobody is here yet', fr: 'Personne pour l’instant' },
  empty: {
    en: 'Import the people that you have, or add one. New ones come by the sign-up form (Settings) and by your programs.',
    fr: 'Importez les personnes que vous avez, ou ajoutez-en une. D’autres arrivent par le formulaire (Réglages) et par vos programmes.',
  },
  noneTitle: { en: 'Nobody was found', fr: 'Aucun résultat' },
  none: {
    en: 'The search looks at the beginnings of words in addresses and names.',
    fr: 'La recherche porte sur le début des mots des adresses et des noms.',
  },
  record: { en: 'Record', fr: 'Fiche' },
  added: { en: 'Added', fr: 'Ajout' },
  changed: { en: 'Changed', fr: 'Modification' },
  confirmed: { en: 'Confirmed', fr: 'Confirmation' },
  left: { en: 'Left', fr: 'Départ' },
  blocked: { en: 'Suppressed', fr: 'Exclusion' },
  proof: { en: 'Consent and its proof', fr: 'Consentement et preuve' },
  noProof: {
    en: 'No consent is recorded. The address was added before records were kept, or nobody has agreed yet.',
    fr: 'Aucun consentement enregistré. L’adresse date d’avant les preuves, ou personne n’a encore accepté.',
  },
  how: { en: 'How', fr: 'Comment' },
  by: { en: 'By', fr: 'Par' },
  source: { en: 'From the network address', fr: 'Depuis l’adresse réseau' },
  confirmedFrom: { en: 'Confirmed from', fr: 'Confirmé depuis' },
  asked: { en: 'Asked', fr: 'Demandé' },
  formSaid: { en: 'What the form said', fr: 'Ce que disait le formulaire' },
  auditName: { en: 'In the audit log', fr: 'Dans le journal d’audit' },
  rights: { en: 'Rights of this person', fr: 'Droits de cette personne' },
  export: { en: 'Download everything about them', fr: 'Télécharger tout ce qui la concerne' },
  exportWhat: {
    en: 'One JSON file with the person and every record that names them. It is written in the background, from all that the workspace keeps.',
    fr: 'Un fichier JSON avec la personne et tout ce qui la nomme. Il est écrit en arrière-plan, d’après tout ce que garde l’espace.',
  },
  unsubscribe: { en: 'Unsubscribe', fr: 'Désabonner' },
  unsubscribeTitle: { en: 'Unsubscribe {email}', fr: 'Désabonner {email}' },
  unsubscribeWhat: {
    en: 'One person gets no mail any more, single emails included. Only they can come back, by the sign-up form.',
    fr: 'Une personne ne recevra plus rien, e-mails à l’unité compris. Elle seule peut revenir, par le formulaire.',
  },
  erase: { en: 'Erase', fr: 'Effacer' },
  eraseTitle: { en: 'Erase {email}', fr: 'Effacer {email}' },
  eraseWhat: {
    en: 'One person goes for good: record, search terms, what was sent to them. What must stay (an email that others got too) names them by an alias. Nothing can be sent to the address any more. This cannot be undone.',
    fr: 'Une personne disparaît définitivement : fiche, recherche, envois. Ce qui doit rester (un e-mail reçu aussi par d’autres) la nomme par un alias. Rien ne peut plus être envoyé à l’adresse. C’est irréversible.',
  },
  eraseSlow: {
    en: 'It goes through all that the workspace keeps, in the background: the next page says how far it is.',
    fr: 'Tout ce que garde l’espace est parcouru en arrière-plan : la page suivante dit où cela en est.',
  },
  typed: { en: 'Type the address to go on', fr: 'Tapez l’adresse pour continuer' },
  typedWrong: { en: 'is not that address', fr: 'n’est pas cette adresse' },
});

export const statusTexts = textsOf({
  pending: { en: 'Pending', fr: 'En attente' },
  subscribed: { en: 'Subscribed', fr: 'Abonné' },
  unsubscribed: { en: 'Unsubscribed', fr: 'Désabonné' },
  bounced: { en: 'Bounced', fr: 'Rebond' },
  complained: { en: 'Complained', fr: 'Plainte' },
});

/** Who says that a person consents. */
export const howTexts = textsOf({
  api: { en: 'A program, by the API', fr: 'Un programme, par l’API' },
  form: { en: 'The person, by the form', fr: 'La personne, par le formulaire' },
  import: { en: 'A file that was imported', fr: 'Un fichier importé' },
});
