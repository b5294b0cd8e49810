export interface WebhookPosition {
  readonly workspaceId: string;
  readonly webhookId: string;
}

/** What its owner configures. */
export interface WebhookSettings {
  readonly name: string;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  /** False while deliveries are held back. */
  readonly enabled: boolean;
}

/** A secret that was replaced by a rotation. It still signs until `until`. */
interface PreviousSecret {
  readonly sealed: string;
  readonly until: Date;
}

/** The signing secrets, sealed. The newest of the previous ones comes first. */
export interface WebhookSecrets {
  readonly secret: string;
  readonly previousSecrets: readonly PreviousSecret[];
}

/** An endpoint and the events that are posted to it. */
export interface Webhook extends WebhookPosition, WebhookSettings, WebhookSecrets {
  /** Why the service itself disabled it. */
  readonly disabledReason: 'failing' | null;
  /** When an attempt failed for the first time since the last success. */
  readonly failingSince: Date | null;
  /** Until then the endpoint counts as slow. */
  readonly slowUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A new webhook with its settings and its sealed secret. */
export function newWebhook(position: WebhookPosition, settings: WebhookSettings, secret: string, now: Date): Webhook {
  const { name, url, events, enabled } = settings;
  return {
    ...position,
    ...{ name, url, events, enabled },
    secret,
    previousSecrets: [],
    disabledReason: null,
    failingSince: null,
    slowUntil: null,
    createdAt: now,
    updatedAt: now,
  };
}

export const isSlow = ({ slowUntil }: Pick<Webhook, 'slowUntil'>, now: Date): boolean =>
  slowUntil !== null && slowUntil > now;

/** An endpoint without a success for this long is disabled when the next delivery is given up. */
const failingDaysUntilDisabled = 3;

export function isFailingTooLong({ failingSince }: Pick<Webhook, 'failingSince'>, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= failingDaysUntilDisabled * 86_400_000;
}

/** The types of events that a webhook can subscribe to. */
export const eventTypes = [
  'email.scheduled',
  'email.sent',
  'email.delivered',
  'email.delayed',
  'email.opened',
  'email.clicked',
  'email.bounced',
  'email.complained',
  'email.failed',
  'email.canceled',
  'subscriber.created',
  'subscriber.confirmed',
  'subscriber.updated',
  'subscriber.unsubscribed',
  'subscriber.topics_updated',
  'campaign.scheduled',
  'campaign.started',
  'campaign.paused',
  'campaign.resumed',
  'campaign.completed',
  'campaign.canceled',
  'campaign.schedule_failed',
  'automation.run.started',
  'automation.run.finished',
  'automation.held',
  'suppression.added',
  'domain.verified',
  'import.completed',
] as const;
export type WebhookEventType = (typeof eventTypes)[number];

/**
 * Types of events that every send may have. Whether any webhook ever wanted one is noted in the workspace's item, which
 * sends read in any case: where none does, nothing else is read for them, and nothing written.
 */
export const typesOfSends = ['email.scheduled', 'email.sent'] as const;
export type TypeOfSend = (typeof typesOfSends)[number];

/** The type of a test event. Webhooks cannot subscribe to it. */
export const testEventType = 'webhook.test';

/** The type of the event that a step of an automation sends to one webhook, whatever that subscribes to. */
export const stepEventType = 'automation.step' as const;

/** Every type that a delivery can have. */
export const deliveredTypes = [...eventTypes, testEventType, stepEventType] as const;
export type DeliveredType = (typeof deliveredTypes)[number];
