import { textsOf } from '../../../../language/text.ts';

export const peopleTexts = textsOf({
  lead: {
    en: 'Subscribers of this workspace, newest first.',
    fr: 'Les abonnés de cet espace, du plus récent au plus ancien.',
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
  tagsHint: { en: 'Separated by commas.', fr: 'Séparées par des virgules.' },
  fields: { en: 'Fields', fr: 'Champs' },
  fieldsHint: {
    en: 'One per line, as name = value. Removing a line removes the field.',
    fr: 'Un par ligne, sous la forme nom = valeur. Retirer une ligne supprime le champ.',
  },
  fieldsLine: { en: 'has a line without "=": {line}', fr: 'a une ligne sans «\u00a0=\u00a0»\u00a0: {line}' },
  consent: { en: 'Consent', fr: 'Consentement' },
  askFirst: { en: 'Ask them to confirm', fr: 'Demander confirmation' },
  askFirstHint: {
    en: 'They get a link, and nothing more until they use it.',
    fr: 'La personne reçoit un lien, et rien d’autre tant qu’elle ne l’a pas utilisé.',
  },
  given: { en: 'They have agreed already', fr: 'La personne a déjà donné son accord' },
  givenHint: {
    en: 'You vouch for their consent, and the audit log records your name. No confirmation is sent.',
    fr: 'Vous attestez son consentement, et le journal d’audit enregistre votre nom. Aucune confirmation n’est envoyée.',
  },
  noSender: {
    en: 'There is no sender for the confirmation: first add one at a verified domain under Domains.',
    fr: 'Il n’y a pas d’expéditeur pour la confirmation\u00a0: ajoutez-en d’abord un, d’un domaine vérifié, dans Domaines.',
  },
  save: { en: 'Save', fr: 'Enregistrer' },
  addButton: { en: 'Add', fr: 'Ajouter' },
  emptyTitle: { en: 'No people yet', fr: 'Personne pour l’instant' },
  empty: {
    en: 'Import your people, or add one. New ones join through the sign-up form (see Settings) or the API.',
    fr: 'Importez vos contacts, ou ajoutez-en un. De nouvelles personnes s’inscrivent par le formulaire (voir Réglages) ou par l’API.',
  },
  noneTitle: { en: 'No results', fr: 'Aucun résultat' },
  none: {
    en: 'The search matches the beginnings of words in addresses and names.',
    fr: 'La recherche porte sur le début des mots des adresses et des noms.',
  },
  record: { en: 'Record', fr: 'Fiche' },
  added: { en: 'Added', fr: 'Ajout' },
  changed: { en: 'Changed', fr: 'Modification' },
  confirmed: { en: 'Confirmed', fr: 'Confirmation' },
  left: { en: 'Unsubscribed', fr: 'Désabonnement' },
  blocked: { en: 'Suppressed', fr: 'Exclusion' },
  proof: { en: 'Consent and its proof', fr: 'Consentement et preuve' },
  noProof: {
    en: 'No consent is recorded: the address was added before consents were recorded, or the person has not agreed yet.',
    fr: 'Aucun consentement enregistré\u00a0: l’adresse a été ajoutée avant leur enregistrement, ou la personne n’a pas encore accepté.',
  },
  how: { en: 'How', fr: 'Comment' },
  recorded: { en: 'Recorded', fr: 'Enregistrement' },
  by: { en: 'By', fr: 'Par' },
  source: { en: 'Network address', fr: 'Adresse réseau' },
  confirmedFrom: { en: 'Confirmed from', fr: 'Confirmé depuis' },
  asked: { en: 'Requested', fr: 'Demandé' },
  formSaid: { en: 'Text of the form', fr: 'Texte du formulaire' },
  auditName: { en: 'In the audit log', fr: 'Dans le journal d’audit' },
  rights: { en: 'Privacy requests', fr: 'Droits de la personne' },
  export: { en: 'Export their data', fr: 'Exporter ses données' },
  exportWhat: {
    en: 'One JSON file with the person and every record that names them. It is prepared in the background.',
    fr: 'Un fichier JSON avec la personne et tous les enregistrements qui la nomment. Il est préparé en arrière-plan.',
  },
  unsubscribe: { en: 'Unsubscribe', fr: 'Désabonner' },
  unsubscribeTitle: { en: 'Unsubscribe {email}', fr: 'Désabonner {email}' },
  unsubscribeWhat: {
    en: 'This person gets no more mail, including single emails. Only they can subscribe again, through the sign-up form.',
    fr: 'Cette personne ne recevra plus aucun message, e-mails à l’unité compris. Elle seule peut se réabonner, par le formulaire d’inscription.',
  },
  erase: { en: 'Erase', fr: 'Effacer' },
  eraseTitle: { en: 'Erase {email}', fr: 'Effacer {email}' },
  eraseWhat: {
    en: 'This permanently deletes the person’s record, search entries and messages. Records that must stay, such as an email that others got too, show an alias instead. Nothing can be sent to the address any more. This cannot be undone.',
    fr: 'La fiche de la personne, ses entrées de recherche et ses messages sont définitivement supprimés. Les enregistrements à conserver, par exemple un e-mail reçu aussi par d’autres, montrent un alias à la place. Plus rien ne peut être envoyé à l’adresse. Cette action est irréversible.',
  },
  eraseSlow: {
    en: 'This runs in the background over all stored records. The next page shows the progress.',
    fr: 'L’effacement parcourt tous les enregistrements en arrière-plan. La page suivante montre l’avancement.',
  },
  typed: { en: 'Type the address to confirm', fr: 'Tapez l’adresse pour confirmer' },
  typedWrong: { en: 'is not that address', fr: 'n’est pas cette adresse' },
});

export const statusTexts = textsOf({
  pending: { en: 'Pending', fr: 'En attente' },
  subscribed: { en: 'Subscribed', fr: 'Abonné' },
  unsubscribed: { en: 'Unsubscribed', fr: 'Désabonné' },
  bounced: { en: 'Bounced', fr: 'Rebond' },
  complained: { en: 'Complained', fr: 'Plainte' },
});

/** How a person's consent was obtained. */
export const howTexts = textsOf({
  api: { en: 'Through the API', fr: 'Par l’API' },
  form: { en: 'Through the sign-up form', fr: 'Par le formulaire d’inscription' },
  import: { en: 'Imported from a file', fr: 'Importé depuis un fichier' },
});
