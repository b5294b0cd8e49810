import * as z from 'zod';
import type { WebhookEventType } from '../../domain/webhook/webhook.ts';
import type { Text } from '../../language/text.ts';
import { automationHeldEvent, automationRunSummary } from './automationRun.ts';
import { campaignOfEvent } from './campaignDetail.ts';
import { domainDetail } from './domain.ts';
import { describe, named } from './fields.ts';
import { cancellation, email, eventFields, scheduledAt, subscriberOfEvent, userAgent } from './internal/eventData.ts';
import { job } from './job.ts';
import { suppression } from './suppression.ts';

interface EventDefinition {
  readonly text: Text;
  readonly data: z.ZodObject;
}

/** When each event is emitted, and its data. */
export const events: Readonly<Record<WebhookEventType, EventDefinition>> = {
  'email.scheduled': {
    text: {
      en: 'An email was stored until its `scheduled_at`.',
      fr: 'Un e-mail a été enregistré jusqu’à son `scheduled_at`.',
    },
    data: z.object({ ...email, scheduled_at: scheduledAt }),
  },
  'email.sent': {
    text: {
      en: 'SES took the message for a recipient.',
      fr: 'SES a pris en charge le message pour un destinataire.',
    },
    data: z.object(email),
  },
  'email.delayed': {
    text: {
      en: 'The message could not be delivered yet; SES keeps trying.',
      fr: 'Le message n’a pas encore pu être livré ; SES continue d’essayer.',
    },
    data: z.object({ ...email, delay: eventFields.delay }),
  },
  'email.failed': {
    text: {
      en: 'SES gave the message up, or never sent it. The address may still work and is not suppressed. An automatic reply to a delivered message can be reported like this.',
      fr: 'SES a abandonné le message, ou ne l’a jamais envoyé. L’adresse peut encore marcher et n’est pas exclue. Une réponse automatique à un message livré peut être signalée ainsi.',
    },
    data: z.object({ ...email, failure: eventFields.failure }),
  },
  'email.delivered': {
    text: {
      en: 'The receiving server accepted the message for a recipient.',
      fr: 'Le serveur destinataire a accepté le message pour un destinataire.',
    },
    data: z.object(email),
  },
  'email.opened': {
    text: { en: 'The images of a message were loaded.', fr: 'Les images d’un message ont été chargées.' },
    data: z.object({ ...email, user_agent: userAgent, proxied: eventFields.proxied }),
  },
  'email.clicked': {
    text: { en: 'A link of a message was followed.', fr: 'Un lien d’un message a été suivi.' },
    data: z.object({ ...email, url: eventFields.url, user_agent: userAgent }),
  },
  'email.bounced': {
    text: {
      en: 'The address does not exist. It has been added to the suppression list.',
      fr: 'L’adresse n’existe pas. Elle a été ajoutée à la liste d’exclusion.',
    },
    data: z.object({ ...email, bounce: eventFields.bounce }),
  },
  'email.complained': {
    text: {
      en: 'A recipient reported the message as spam. The address has been added to the suppression list.',
      fr: 'Un destinataire a signalé le message comme indésirable. L’adresse a été ajoutée à la liste d’exclusion.',
    },
    data: z.object({ ...email, complaint: eventFields.complaint }),
  },
  'email.canceled': {
    text: {
      en: 'A scheduled email was not sent: it was canceled, or a rule refused it at its scheduled time.',
      fr: 'Un e-mail programmé n’a pas été envoyé : il a été annulé, ou une règle l’a refusé à l’heure prévue.',
    },
    data: z.object({ ...email, ...cancellation }),
  },
  'subscriber.created': {
    text: {
      en: 'A subscriber was stored for the first time, with any status.',
      fr: 'Un abonné a été enregistré pour la première fois, quel que soit son statut.',
    },
    data: subscriberOfEvent,
  },
  'subscriber.confirmed': {
    text: {
      en: 'A stored subscriber became `subscribed`: they confirmed, or the caller vouched for it.',
      fr: 'Un abonné enregistré est devenu `subscribed` : il a confirmé, ou l’appelant s’en est porté garant.',
    },
    data: subscriberOfEvent,
  },
  'subscriber.updated': {
    text: {
      en: 'Names, tags or fields changed, or the status to any other.',
      fr: 'Noms, étiquettes ou champs ont changé, ou le statut, vers tout autre.',
    },
    data: subscriberOfEvent,
  },
  'subscriber.unsubscribed': {
    text: { en: 'A subscriber unsubscribed.', fr: 'Un abonné s’est désabonné.' },
    data: subscriberOfEvent,
  },
  'subscriber.topics_updated': {
    text: {
      en: 'A subscriber left topics or came back to them.',
      fr: 'Un abonné a quitté des types d’e-mails ou y est revenu.',
    },
    data: named('SubscriberTopicsEventData', subscriberOfEvent.extend({ topics: eventFields.topics })),
  },
  'campaign.scheduled': {
    text: {
      en: 'A campaign was scheduled, or moved to another time.',
      fr: 'Une campagne a été programmée, ou déplacée à une autre heure.',
    },
    data: campaignOfEvent,
  },
  'campaign.started': {
    text: {
      en: 'The recipients of a campaign are frozen and its sending began.',
      fr: 'Les destinataires d’une campagne sont figés et son envoi a commencé.',
    },
    data: campaignOfEvent,
  },
  'campaign.paused': {
    text: {
      en: 'A campaign was paused by a call or an operator.',
      fr: 'Une campagne a été suspendue par un appel ou un opérateur.',
    },
    data: campaignOfEvent,
  },
  'campaign.resumed': {
    text: {
      en: 'A campaign was resumed by a call or an operator.',
      fr: 'Une campagne a été reprise par un appel ou un opérateur.',
    },
    data: campaignOfEvent,
  },
  'campaign.completed': {
    text: {
      en: 'Every recipient of a campaign has an outcome, and it was not canceled.',
      fr: 'Chaque destinataire d’une campagne a une issue, et elle n’a pas été annulée.',
    },
    data: campaignOfEvent,
  },
  'campaign.canceled': {
    text: {
      en: 'A campaign was canceled: its remaining recipients get nothing.',
      fr: 'Une campagne a été annulée : ses destinataires restants ne reçoivent rien.',
    },
    data: campaignOfEvent,
  },
  'campaign.schedule_failed': {
    text: {
      en: 'A scheduled campaign was refused at its time and is a draft again.',
      fr: 'Une campagne programmée a été refusée à son heure et redevient un brouillon.',
    },
    data: campaignOfEvent,
  },
  'automation.run.started': {
    text: { en: 'A run of an automation started.', fr: 'Un parcours d’une automatisation a commencé.' },
    data: automationRunSummary,
  },
  'automation.run.finished': {
    text: {
      en: 'A run of an automation ended; its `reason` says why.',
      fr: 'Un parcours d’une automatisation a pris fin ; `reason` dit pourquoi.',
    },
    data: automationRunSummary,
  },
  'automation.held': {
    text: {
      en: 'No send of an automation can work until a cause is removed; with `held` null, they go on.',
      fr: 'Aucun envoi d’une automatisation ne peut réussir avant qu’une cause ne cesse ; avec `held` à null, ils reprennent.',
    },
    data: automationHeldEvent,
  },
  'suppression.added': {
    text: {
      en: 'An address came onto the suppression list of the workspace.',
      fr: 'Une adresse est arrivée sur la liste d’exclusion de l’espace.',
    },
    data: suppression,
  },
  'domain.verified': {
    text: {
      en: 'The workspace can send from a domain from now on.',
      fr: 'L’espace peut désormais envoyer depuis un domaine.',
    },
    data: domainDetail,
  },
  'import.completed': {
    text: {
      en: 'An import reached the end of its file. `download` is null here: the job shows the lines that were refused.',
      fr: 'Un import a atteint la fin de son fichier. `download` vaut null ici : la tâche montre les lignes refusées.',
    },
    data: job,
  },
};

/** The body of a delivery. */
export function eventBody(type: WebhookEventType): z.ZodObject {
  return z.object({
    id: describe(
      z.string(),
      {
        en: 'The same in every attempt and replay: ignore events that you have already received.',
        fr: 'Le même à chaque tentative et à chaque renvoi : ignorez les événements déjà reçus.',
      },
      ['evt_01k9zq3v5c8r2m4n6p7s9t0wxy'],
    ),
    type: describe(z.literal(type), { en: 'Type of the event.', fr: 'Type de l’événement.' }),
    created_at: describe(
      z.string(),
      { en: 'When it happened, ISO 8601 UTC.', fr: 'Quand c’est arrivé, ISO 8601 UTC.' },
      ['2026-11-21T10:30:02.000Z'],
    ),
    data: describe(events[type].data, { en: 'What happened.', fr: 'Ce qui est arrivé.' }),
  });
}
