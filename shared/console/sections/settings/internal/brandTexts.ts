import { textsOf } from '../../../../language/text.ts';

export const brandTexts = textsOf({
  pagesAndMail: { en: 'Public pages and mail', fr: 'Pages publiques et e-mails' },
  color: { en: 'Colour of buttons and links', fr: 'Couleur des boutons et des liens' },
  colorHint: {
    en: 'For example #0b57b5; must be readable on white. Leave empty for the default.',
    fr: 'Par exemple #0b57b5\u00a0; doit être lisible sur fond blanc. Laissez vide pour la couleur par défaut.',
  },
  logo: { en: 'Logo of the pages', fr: 'Logo des pages' },
  logoHint: { en: 'PNG, JPEG or WebP, at most 24 KiB.', fr: 'PNG, JPEG ou WebP, 24 Kio au plus.' },
  hasLogo: { en: 'Current logo: {size} KiB.', fr: 'Logo actuel\u00a0: {size} Kio.' },
  noLogo: { en: 'No logo yet.', fr: 'Aucun logo pour l’instant.' },
  dropLogo: { en: 'Remove the logo', fr: 'Retirer le logo' },
  mail: { en: 'Mail', fr: 'E-mails' },
  logoUrl: { en: 'URL of the logo of the mail', fr: 'URL du logo des e-mails' },
  logoUrlHint: {
    en: 'An https address: mail clients load it from there.',
    fr: 'Une adresse https\u00a0: les messageries l’y chargent.',
  },
  logoWidth: { en: 'Width of this logo', fr: 'Largeur de ce logo' },
  width: { en: 'Width of a message', fr: 'Largeur d’un message' },
  range: {
    en: 'In pixels, {least} to {most}; {usual} by default.',
    fr: 'En pixels, de {least} à {most}\u00a0; {usual} par défaut.',
  },
  background: { en: 'Background', fr: 'Arrière-plan' },
  backgroundHint: { en: 'Around the message, for example #f3f4f6.', fr: 'Autour du message, par exemple #f3f4f6.' },
  text: { en: 'Colour of the text', fr: 'Couleur du texte' },
  textHint: {
    en: 'For example #1f2328; must be readable on white.',
    fr: 'Par exemple #1f2328\u00a0; doit être lisible sur fond blanc.',
  },
  font: { en: 'Font', fr: 'Police' },
  align: { en: 'Alignment', fr: 'Alignement' },
  usual: { en: 'Default', fr: 'Par défaut' },
  center: { en: 'Centred', fr: 'Centré' },
  footer: { en: 'Footer of the mail', fr: 'Pied de page des e-mails' },
  name: { en: 'Name of the sender', fr: 'Nom de l’expéditeur' },
  nameHint: { en: 'Leave empty for the name of the workspace.', fr: 'Laissez vide pour le nom de l’espace.' },
  address: { en: 'Postal address', fr: 'Adresse postale' },
  addressHint: {
    en: 'The law of many countries requires one in campaigns (CAN-SPAM in the United States).',
    fr: 'La loi de nombreux pays en exige une dans les campagnes (CAN-SPAM aux États-Unis).',
  },
  requiresAddress: {
    en: 'Refuse to send a campaign without a postal address',
    fr: 'Refuser l’envoi d’une campagne sans adresse postale',
  },
  links: { en: 'Links', fr: 'Liens' },
  linksHint: {
    en: 'Pages of yours, such as those at social networks: https addresses, one per line.',
    fr: 'Vos pages, par exemple sur les réseaux sociaux\u00a0: des adresses https, une par ligne.',
  },
  save: { en: 'Save', fr: 'Enregistrer' },
  preview: { en: 'Sample', fr: 'Exemple' },
  light: { en: 'Light', fr: 'Clair' },
  dark: { en: 'Dark', fr: 'Sombre' },
  previewWhat: {
    en: 'Campaigns, templates made of blocks and confirmations look like this. A campaign that is being sent keeps its look.',
    fr: 'Les campagnes, les modèles en blocs et les confirmations ont cet aspect. Une campagne en cours d’envoi garde le sien.',
  },
});
