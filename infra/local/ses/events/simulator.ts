import { domainOf, parseMailboxes } from '../mime/addresses.ts';
import { bounce, complaint, delivery, type EventDraft, reject, send } from './events.ts';

const simulatorDomain = 'simulator.amazonses.com';

/** Mail to the simulator does not count against the daily quota. */
export function isSimulator(recipient: string): boolean {
  return domainOf(plainAddress(recipient)).toLowerCase() === simulatorDomain;
}

export interface Course {
  readonly recipients: readonly string[];
  readonly infected: boolean;
  readonly acceptedAt: number;
  /** Milliseconds until the first event; each later one follows half as long after the one before it. */
  readonly delay: number;
}

/**
 * The events of a message, by its recipients' addresses.
 * https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html#send-email-simulator
 */
export function simulate({ recipients, infected, acceptedAt, delay }: Course): EventDraft[] {
  const step = (count: number) => acceptedAt + Math.round(delay * (1 + count / 2));
  if (infected) return [send(step(0)), reject(step(1))];
  const addresses = new Set(recipients.map(plainAddress));
  return [send(step(0)), ...[...addresses].flatMap((address) => outcome(address, acceptedAt, step))];
}

function outcome(recipient: string, acceptedAt: number, step: (count: number) => number): EventDraft[] {
  const delivered = delivery(step(1), acceptedAt, [recipient]);
  switch (scenario(recipient)) {
    case 'bounce':
      return [hardBounce(step(1), recipient)];
    case 'suppressionlist':
      return [suppressedBounce(step(1), recipient)];
    case 'complaint':
      return [delivered, complaint(step(2), recipient)];
    case 'ooto':
      return [delivered, bounce(step(2), { bounceType: 'Transient', bounceSubType: 'General', recipient })];
    default:
      return [delivered];
  }
}

/** The local part without its label: `bounce` in `bounce+7@simulator.amazonses.com`. */
function scenario(recipient: string): string {
  return isSimulator(recipient)
    ? recipient.slice(0, recipient.lastIndexOf('@')).toLowerCase().replace(/\+.*/s, '')
    : '';
}

export function hardBounce(happenedAt: number, recipient: string): EventDraft {
  const status = {
    status: '5.1.1',
    diagnosticCode: 'smtp; 550 5.1.1 user unknown',
    reportingMTA: 'dsn; a8-70.smtp-out.amazonses.com',
  };
  return bounce(happenedAt, { bounceType: 'Permanent', bounceSubType: 'General', recipient, status });
}

function suppressedBounce(happenedAt: number, recipient: string): EventDraft {
  const status = {
    status: '5.1.1',
    diagnosticCode:
      'Amazon SES did not send the message to this address because it is on the suppression list for your account.',
    reportingMTA: 'dns; amazonses.com',
  };
  return bounce(happenedAt, { bounceType: 'Permanent', bounceSubType: 'OnAccountSuppressionList', recipient, status });
}

/** The address in `address` or `Name <address>`. */
export function plainAddress(recipient: string): string {
  return parseMailboxes(recipient)[0]?.address ?? recipient;
}
