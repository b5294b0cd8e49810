import { ServiceError, ValidationError } from '../../contract/errors.ts';
import { domainOf } from '../../domain/address/address.ts';
import { encodedSize, maxMessageBytes } from '../../domain/message/messageSize.ts';
import { suppressionReasonTexts } from '../../domain/person/suppression.ts';
import type { Suppression } from '../../store/person/suppression.ts';
import type { Domain, Suspension } from '../../store/workspace/workspaces.ts';

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

/** Rule 2: one suppressed recipient refuses the whole call; every one of them is named. */
export function checkSuppressions(suppressions: readonly Suppression[]): void {
  const [first] = suppressions;
  if (!first) return;
  const named = (language: 'en' | 'fr') =>
    suppressions.map(({ email, reason }) => `${email} (${suppressionReasonTexts[reason][language]})`).join(', ');
  throw new ServiceError('suppressed_recipient', {
    text: {
      en: `Nothing was sent. On the suppression list: ${named('en')}.`,
      fr: `Rien n’a été envoyé. Sur la liste d’exclusion : ${named('fr')}.`,
    },
    details: { recipients: suppressions.map(({ email, reason, scope }) => ({ email, reason, scope })) },
  });
}

/** The limit that SES puts on the encoded message; the largest attachment is named, since it is what can be taken out. */
export function checkMessageSize(bytes: number, attachments: readonly { filename: string; content: string }[]): void {
  if (bytes <= maxMessageBytes) return;
  const megabytes = (size: number) => (size / 1024 / 1024).toFixed(1);
  const sizes = attachments.map(({ filename, content }) => ({ filename, size: encodedSize(content.length) }));
  const [largest] = sizes.sort((a, b) => b.size - a.size);
  const named = largest ? ` ("${largest.filename}": ${megabytes(largest.size)} MB)` : '';
  throw new ValidationError([
    {
      path: 'attachments',
      text: {
        en: `the message reaches ${megabytes(bytes)} MB once encoded${named}; the limit is ${megabytes(maxMessageBytes)} MB`,
        fr: `le message atteint ${megabytes(bytes)} Mo une fois encodé${named} ; la limite est de ${megabytes(maxMessageBytes)} Mo`,
      },
    },
  ]);
}
