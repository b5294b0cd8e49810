import { textsOf } from '../language/text.ts';
import { ServiceError } from './errors.ts';

/** What a call can name that is not there. An object of another workspace is not there either. */
const texts = textsOf({
  automation: {
    en: 'There is no automation with this id in this workspace.',
    fr: 'Aucune automatisation n’a cet identifiant dans cet espace.',
  },
  run: {
    en: 'This automation has no run with this id.',
    fr: 'Aucun parcours de cette automatisation n’a cet identifiant.',
  },
  campaign: {
    en: 'There is no campaign with this id in this workspace.',
    fr: 'Aucune campagne n’a cet identifiant dans cet espace.',
  },
  template: {
    en: 'There is no template with this id in this workspace.',
    fr: 'Aucun modèle n’a cet identifiant dans cet espace.',
  },
  topic: {
    en: 'There is no topic with this id in this workspace.',
    fr: 'Aucun type d’e-mail n’a cet identifiant dans cet espace.',
  },
  segment: {
    en: 'There is no segment with this id in this workspace.',
    fr: 'Aucun segment n’a cet identifiant dans cet espace.',
  },
  email: {
    en: 'There is no email with this id in this workspace.',
    fr: 'Aucun e-mail n’a cet identifiant dans cet espace.',
  },
  webhook: {
    en: 'There is no webhook with this id in this workspace.',
    fr: 'Aucun webhook n’a cet identifiant dans cet espace.',
  },
  delivery: {
    en: 'This webhook has no delivery with this id.',
    fr: 'Aucune livraison de ce webhook n’a cet identifiant.',
  },
  job: {
    en: 'There is no job with this id in this workspace.',
    fr: 'Aucune tâche n’a cet identifiant dans cet espace.',
  },
  subscriber: {
    en: 'There is no subscriber with this address in this workspace.',
    fr: 'Aucun abonné n’a cette adresse dans cet espace.',
  },
});

/** The error `not_found` that says what is not there. */
export const notFound = (kind: keyof typeof texts): ServiceError =>
  new ServiceError('not_found', { text: texts[kind] });
