import { textsOf } from '../../../language/text.ts';

export const brandTexts = textsOf({
  color: { en: 'Colour', fr: 'Couleur' },
  colorHint: {
    en: 'Such as #0b57b5, readable on white. Empty: the usual one.',
    fr: 'Par exemple #0b57b5, lisible sur du blanc. Vide : la couleur habituelle.',
  },
  logo: { en: 'Logo', fr: 'Logo' },
  logoHint: { en: 'PNG, JPEG or WebP, at most 24 KiB.', fr: 'PNG, JPEG ou WebP, 24 Kio au plus.' },
  hasLogo: { en: 'There is one of {size} KiB.', fr: 'Il y en a un de {size} Kio.' },
  noLogo: { en: 'There is none.', fr: 'Il n’y en a pas.' },
  dropLogo: { en: 'Take the logo away', fr: 'Retirer le logo' },
  save: { en: 'Save', fr: 'Enregistrer' },
  preview: { en: 'How it looks', fr: 'L’allure' },
  previewWhat: {
    en: 'On the form, the confirmation and the page of each person.',
    fr: 'Sur le formulaire, la confirmation et la page de chacun.',
  },
  join: { en: 'Subscribe', fr: 'S’abonner' },
});
