import type { RecordedEvent } from '../mail/messages.ts';

/** The worse one stands, as in the API: what was delivered may still bounce or be complained about. */
const ranks = [
  'Send',
  'DeliveryDelay',
  'Delivery',
  'Open',
  'Click',
  'Rendering Failure',
  'Reject',
  'Bounce',
  'Complaint',
];

/** The event that tells most of what became of a message; `Send` when nothing else is known. */
export function statusOf(events: readonly Pick<RecordedEvent, 'type'>[]): string {
  return ranks[Math.max(0, ...events.map(({ type }) => ranks.indexOf(type)))] ?? 'Send';
}
