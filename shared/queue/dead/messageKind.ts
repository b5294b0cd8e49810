import * as z from 'zod';

/** What messages are, by the word that each says of itself: ours by `kind`, the provider's by `eventType`. */
const kinds = [
  ...['confirmation', 'data', 'sign_up', 'send', 'attempt', 'release', 'erase', 'run', 'fire', 'job'],
  ...['Send', 'Delivery', 'Bounce', 'Complaint', 'Open', 'Click', 'Reject', 'DeliveryDelay', 'Rendering Failure'],
] as const;

const said = z.object({ kind: z.string().optional(), eventType: z.string().optional() });

/** What a message is, and nothing of whom it is about; `other` for what nobody here has written. */
export function kindOfMessage(body: string): string {
  try {
    const { kind, eventType } = said.parse(JSON.parse(body));
    return kinds.find((one) => one === (kind ?? eventType)) ?? 'other';
  } catch {
    return 'other';
  }
}
