/** What a webhook can ask for. */
export const eventTypes = [
  'email.delivered',
  'email.opened',
  'email.clicked',
  'email.bounced',
  'email.complained',
  'email.canceled',
  'subscriber.created',
  'subscriber.unsubscribed',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The type of the event that a test call sends; nobody can ask for it. */
export const testEventType = 'webhook.test';

/** Every type that a delivery can have. */
export const deliveredTypes = [...eventTypes, testEventType] as const;
export type DeliveredType = (typeof deliveredTypes)[number];
