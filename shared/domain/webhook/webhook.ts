import type { EventType } from './eventType.ts';

export interface WebhookPosition {
  readonly workspaceId: string;
  readonly webhookId: string;
}

/** What its owner decides. */
export interface WebhookSettings {
  readonly name: string;
  readonly url: string;
  readonly events: readonly EventType[];
  /** False while deliveries are held back. */
  readonly enabled: boolean;
}

/** A secret that a rotation replaced. It signs too until its time is over. */
interface PreviousSecret {
  readonly sealed: string;
  readonly until: Date;
}

/** What signs a webhook's deliveries, sealed. The newest of the previous ones comes first. */
export interface WebhookSecrets {
  readonly secret: string;
  readonly previousSecrets: readonly PreviousSecret[];
}

/** A subscription: where to post which events. */
export interface Webhook extends WebhookPosition, WebhookSettings, WebhookSecrets {
  /** Why the service itself disabled it. */
  readonly disabledReason: 'failing' | null;
  /** When a retry failed for the first time since the last success. */
  readonly failingSince: Date | null;
  /** Until then it is known to answer slowly. */
  readonly slowUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A webhook of which nothing is known yet but its settings and its sealed secret. */
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

/** An endpoint that never once succeeded for so long is disabled when the next delivery is given up. */
const failingDaysUntilDisabled = 3;

export function isFailingTooLong({ failingSince }: Pick<Webhook, 'failingSince'>, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= failingDaysUntilDisabled * 86_400_000;
}
