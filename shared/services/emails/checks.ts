import { ServiceError, ValidationError } from '../../contract/errors.ts';
import { domainOf } from '../../domain/address/address.ts';
import { encodedSize, maxMessageBytes, megabytes } from '../../domain/message/messageSize.ts';
import type { Suppression } from '../../domain/person/suppression.ts';
import { suppressionReasonTexts } from '../../domain/person/suppression.ts';
import type { Domain, MailKind, Suspension } from '../../domain/workspace/workspace.ts';
import type { Language } from '../../language/languages.ts';
import type { Text } from '../../language/text.ts';
import { bytesIn, type Chunks } from '../../platform/memory/chunks.ts';
import type { EmailContent } from '../../store/sending/email.ts';
import type { Standing } from '../../store/suppression/suppression.ts';

/** Rule 1: the domain of the sender, or a parent of it, is verified in the workspace. */
export function checkDomain(from: string, address: string, domains: readonly Domain[]): void {
  const verified = domains.filter((domain) => domain.verified).map(({ domain }) => domain);
  const own = domainOf(address);
  if (verified.some((domain) => own === domain || own.endsWith(`.${domain}`))) return;
  throw new ServiceError('unverified_from_domain', {
    text: {
      en: `The domain "${own}" is not verified in this workspace.`,
      fr: `Le domaine « ${own} » n’est pas vérifié dans cet espace.`,
    },
    details: { from, verifiedDomains: verified },
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
 * Rule 2: one suppressed recipient refuses the whole call; every one of them is named, once though both lists hold it.
 * An earlier call under the same Idempotency-Key may have sent a part: then nothing more is sent.
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

/** Who has left this kind of mail by themselves refuses the call as if they were suppressed; `tags` are the email's. */
export function checkKinds(
  tags: EmailContent['tags'],
  kinds: readonly MailKind[],
  standings: readonly Standing[],
): void {
  const borne = new Set(tags.map(({ name, value }) => `${name}:${value}`));
  const recipients = standings.flatMap(({ email, preferences: { leftTags } }) =>
    kinds
      .filter(({ tag }) => borne.has(tag) && leftTags.includes(tag))
      .map(({ tag }) => ({ email, reason: 'unsubscribe', scope: 'organization', tag })),
  );
  if (recipients.length === 0) return;
  const list = recipients.map(({ email, tag }) => `${email} (${tag})`).join(', ');
  throw new ServiceError('suppressed_recipient', {
    text: {
      en: `Nothing was sent. They have left this kind of mail: ${list}.`,
      fr: `Rien n’a été envoyé. Ont quitté ce type d’e-mail : ${list}.`,
    },
    details: { recipients },
  });
}

/** The workspace's own entry says more to its owner than the platform's. */
function namedOnce(suppressions: readonly Suppression[]): Suppression[] {
  const own = new Set(suppressions.filter(({ scope }) => scope === 'organization').map(({ email }) => email));
  return suppressions.filter(({ email, scope }) => scope === 'organization' || !own.has(email));
}

/** The limit that SES puts on the encoded message; the largest attachment is named, since it is what can be taken out. */
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

/** What files take in a message. */
export const encodedFiles = (files: readonly SizedFile[]): number =>
  files.reduce((sum, file) => sum + encodedFile(file), 0);

function encodedFile({ content, announced }: SizedFile): number {
  const bytes = announced ?? (typeof content === 'string' ? null : bytesIn(content));
  return encodedSize(bytes === null ? content.length : Math.ceil(bytes / 3) * 4);
}
