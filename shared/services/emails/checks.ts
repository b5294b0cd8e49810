import { ServiceError, ValidationError } from '../../contract/errors.ts';
import { domainOf } from '../../domain/address.ts';
import { encodedSize, maxMessageBytes, megabytes } from '../../domain/message/attachment.ts';
import { type Suppression, suppressionReasonTexts } from '../../domain/person/person.ts';
import { type Tracking, withinAllowed } from '../../domain/sending/email.ts';
import { quotaResetsAt } from '../../domain/sending/quota.ts';
import { isUnder } from '../../domain/workspace/domainOwnership.ts';
import type { Topic } from '../../domain/workspace/topic.ts';
import type { Domain, Suspension } from '../../domain/workspace/workspace.ts';
import type { Envelope, SendResult } from '../../email/ses.ts';
import type { Language } from '../../language/languages.ts';
import type { Text } from '../../language/text.ts';
import { stopwatch } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { bytesIn, type Chunks } from '../../platform/memory.ts';
import { gateOf } from '../../platform/parallel.ts';
import type { EmailContent } from '../../store/emails/email.ts';
import type { RecipientState } from '../../store/person/suppressions.ts';
import { isHeldCode, sendingHeld, submitEnvelope } from '../sendingHold.ts';
import { ownObstacles } from './sendFailure.ts';

/**
 * Rule 1: the workspace has verified the domain of the sender or a parent of it, and no other workspace has proved it
 * since.
 */
export function checkDomain(from: string, address: string, domains: readonly Domain[]): void {
  const verified = domains.filter((domain) => domain.verified);
  const own = domainOf(address);
  const covers = ({ domain, ceded = [] }: Domain) =>
    isUnder(own, domain) && !ceded.some((subdomain) => isUnder(own, subdomain));
  if (verified.some(covers)) return;
  throw new ServiceError('unverified_from_domain', {
    text: {
      en: `The domain "${own}" is not verified in this workspace.`,
      fr: `Le domaine « ${own} » n’est pas vérifié dans cet espace.`,
    },
    details: { from, verifiedDomains: verified.map(({ domain }) => domain) },
  });
}

/** Rule 4: a suspended workspace sends nothing. */
export function checkSuspension(suspension: Suspension | null): void {
  if (!suspension) return;
  throw new ServiceError('reputation_blocked', {
    details: {
      bounce_rate: suspension.bounceRate,
      complaint_rate: suspension.complaintRate,
      since: suspension.since,
    },
  });
}

/**
 * Rule 2: one suppressed recipient refuses the whole call. The error names every suppressed recipient once. `isLaterCall`:
 * an earlier call under the same Idempotency-Key may have sent a part.
 */
export function checkSuppressions(suppressions: readonly Suppression[], isLaterCall = false): void {
  const named = namedOnce(suppressions);
  if (named.length === 0) return;
  const list = (language: Language) =>
    named.map(({ email, reason }) => `${email} (${suppressionReasonTexts[reason][language]})`).join(', ');
  throw new ServiceError('suppressed_recipient', {
    text: {
      en: `Nothing ${isLaterCall ? 'more ' : ''}was sent. On the suppression list: ${list('en')}.`,
      fr: `Rien ${isLaterCall ? 'de plus ' : ''}n’a été envoyé. Sur la liste d’exclusion : ${list('fr')}.`,
    },
    details: { recipients: named.map(({ email, reason, scope }) => ({ email, reason, scope })) },
  });
}

/** A recipient who has left a topic that the email's tags name refuses the call, as a suppressed recipient does. */
export function checkKinds(
  tags: EmailContent['tags'],
  kinds: readonly Topic[],
  recipientStates: readonly RecipientState[],
): void {
  const emailTags = new Set(tags.map(({ name, value }) => `${name}:${value}`));
  const recipients = recipientStates.flatMap(({ email, preferences: { leftTags } }) =>
    kinds
      .filter(({ tag }) => emailTags.has(tag) && leftTags.includes(tag))
      .map(({ tag }) => ({ email, reason: 'unsubscribe', scope: 'organization', tag })),
  );
  if (recipients.length === 0) return;
  const list = recipients.map(({ email, tag }) => `${email} (${tag})`).join(', ');
  throw new ServiceError('suppressed_recipient', {
    text: {
      en: `Nothing was sent. These recipients have unsubscribed from this topic: ${list}.`,
      fr: `Rien n’a été envoyé. Ces destinataires se sont désabonnés de ce type d’e-mail : ${list}.`,
    },
    details: { recipients },
  });
}

/** For an address on both lists, the workspace's own entry, which tells the caller more. */
function namedOnce(suppressions: readonly Suppression[]): Suppression[] {
  const own = new Set(suppressions.filter(({ scope }) => scope === 'organization').map(({ email }) => email));
  return suppressions.filter(({ email, scope }) => scope === 'organization' || !own.has(email));
}

interface QuotaFigures {
  readonly limit: number;
  readonly used: number;
  readonly requested: number;
}

/** Rule 3: the rest of the month's quota does not suffice. */
export function quotaExceeded({ limit, used, requested }: QuotaFigures, now: Date): ServiceError {
  // If one is left, two or more were requested: no text needs a singular.
  const left = limit - used;
  const details = { limit, used, requested, resets_at: quotaResetsAt(now) };
  const tooFew: Text = {
    en: `The call is for ${requested} emails; the monthly quota of the plan has ${left} left.`,
    fr: `L’appel demande ${requested} e-mails ; il en reste ${left} dans le quota mensuel du forfait.`,
  };
  return new ServiceError('quota_exceeded', { ...(left > 0 && { text: tooFew }), details });
}

/** SES's limit for the encoded message. The error names the largest attachment. */
export function checkMessageSize(bytes: number, attachments: readonly SizedFile[]): void {
  if (bytes <= maxMessageBytes) return;
  const sizes = attachments.map((file) => ({ filename: file.filename, size: encodedFile(file) }));
  const [largest] = sizes.sort((a, b) => b.size - a.size);
  const [all, limit, file] = [megabytes(bytes), megabytes(maxMessageBytes), megabytes(largest?.size ?? 0)];
  const named: Text = {
    en: largest ? ` ("${largest.filename}": ${file.en})` : '',
    fr: largest ? ` (« ${largest.filename} » : ${file.fr})` : '',
  };
  throw new ValidationError([
    {
      path: 'attachments',
      text: {
        en: `the message reaches ${all.en} once encoded${named.en}; the limit is ${limit.en}`,
        fr: `le message atteint ${all.fr} une fois encodé${named.fr} ; la limite est de ${limit.fr}`,
      },
    },
  ]);
}

interface SizedFile {
  readonly filename: string;
  readonly content: string | Chunks;
  readonly announced?: number;
}

/** The bytes of files once encoded in a message. */
export const encodedFiles = (files: readonly SizedFile[]): number =>
  files.reduce((sum, file) => sum + encodedFile(file), 0);

function encodedFile({ content, announced }: SizedFile): number {
  const bytes = announced ?? (typeof content === 'string' ? null : bytesIn(content));
  return encodedSize(bytes === null ? content.length : Math.ceil(bytes / 3) * 4);
}

/**
 * Reads the recipients again. Throws the `ServiceError` that refuses the email now; returns what no recipient refuses to
 * have tracked.
 */
export type ReadAgain = () => Promise<Tracking>;

/**
 * A call of SES must begin within this time after the recipients were last read, so that people who left before that
 * get nothing.
 */
const freshMilliseconds = 2000;
/** After this many repeated reads in a row that took too long, the email waits, as a slice of a campaign does. */
const maxSlowReads = 3;
/** A slow table answers a few reads in time, but all of them late: the calls of a process take turns. */
const inTurn = gateOf(8);

/** The last read of an email's recipients. */
export class RecipientCheck {
  readonly #again: ReadAgain;
  #age: () => number;
  #allowed: Tracking = { opens: true, clicks: true };
  /** Why the email is refused since the first read. */
  refusal: ServiceError | null = null;

  /** `age`: milliseconds since the first read was requested. */
  constructor(age: () => number, again: ReadAgain) {
    this.#age = age;
    this.#again = again;
  }

  /** Makes one call of SES that begins in time, after another read if the last one is too old. Never throws. */
  async submit(envelope: Envelope): Promise<SendResult> {
    for (let reads = 0; ; reads += 1) {
      const age = this.#age();
      if (age < freshMilliseconds) {
        const own = { ...envelope, tracking: withinAllowed(envelope.tracking, this.#allowed) };
        const result = await submitEnvelope(own, freshMilliseconds - age);
        if (result.kind === 'obstacle' && isHeldCode(result.providerCode)) this.refusal = sendingHeld();
        if (result.kind !== 'deferred' || result.providerCode !== 'BegunTooLate') return result;
        // The read was quick: it was the connection to SES that was slow.
        if (age < freshMilliseconds / 2) return { kind: 'deferred', providerCode: 'ConnectionTimeout' };
      }
      if (reads === maxSlowReads) return { kind: 'obstacle', providerCode: ownObstacles.storeSlow };
      const obstacle = await this.#repeat();
      if (obstacle) return obstacle;
    }
  }

  async #repeat(): Promise<SendResult | null> {
    try {
      await inTurn(async () => {
        const age = stopwatch();
        this.#allowed = await this.#again();
        this.#age = age;
      });
      return null;
    } catch (error) {
      if (error instanceof ServiceError) {
        this.refusal = error;
        return { kind: 'refused', providerCode: error.code };
      }
      logger.error('The recipients of an email could not be looked at again.', error as Error);
      return { kind: 'obstacle', providerCode: ownObstacles.unreadable };
    }
  }
}
