import { type BulkEmailEntryResult, BulkEmailStatus, SendBulkEmailCommand } from '@aws-sdk/client-sesv2';
import type { HoldReason } from '../domain/campaign/campaign.ts';
import { wasNeverSent } from '../platform/aws/unanswered.ts';
import { config } from '../platform/config.ts';
import { failedCall, type Subject, subjectOf } from './ses.ts';
import { provider } from './sesClient.ts';

interface Tag {
  readonly name: string;
  readonly value: string;
}

/** One person of a bulk call. */
interface BulkEntry {
  readonly email: string;
  readonly data: Readonly<Record<string, string>>;
  readonly headers: readonly Tag[];
  readonly tags: readonly Tag[];
}

/** At most 50 people who get the same message, each with values of their own. */
export interface BulkCall {
  readonly from: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly data: Readonly<Record<string, string>>;
  readonly headers: readonly Tag[];
  readonly tags: readonly Tag[];
  readonly entries: readonly BulkEntry[];
  readonly tracking: { readonly opens: boolean; readonly clicks: boolean };
}

/** Why nobody of a campaign can be sent to for now. */
export interface Obstacle {
  readonly reason: HoldReason;
  readonly providerCode: string;
}

/** What SES said of one person. `again`: certainly not taken, and it may be taken next time. */
export type EntryResult =
  | { readonly kind: 'accepted'; readonly messageId: string }
  | { readonly kind: 'throttled' | 'transient' | 'refused'; readonly providerCode: string }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle };

/** What became of a call. `unknown`: it may have been taken, whole or in part, and only its events can tell. */
export type BulkResult =
  | { readonly kind: 'answered'; readonly entries: readonly EntryResult[] }
  | { readonly kind: 'throttled'; readonly providerCode: string }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle }
  | { readonly kind: 'unknown'; readonly providerCode: string };

/** Sends one call, once: the SDK's own retries could send twice. HTTP 200 says nothing about an entry. */
export async function sendBulk(call: BulkCall, abortSignal: AbortSignal): Promise<BulkResult> {
  try {
    const { BulkEmailEntryResults = [] } = await provider.send(commandOf(call), { abortSignal });
    if (BulkEmailEntryResults.length !== call.entries.length)
      return { kind: 'unknown', providerCode: 'MissingResults' };
    const entries = BulkEmailEntryResults.map(entryResult);
    // SES names what it took: a yes without an id comes from something in between.
    const isNamed = entries.every((entry) => entry.kind !== 'accepted' || entry.messageId !== '');
    return isNamed ? { kind: 'answered', entries } : { kind: 'unknown', providerCode: 'NoMessageId' };
  } catch (error) {
    return brokenCall(error);
  }
}

function commandOf(call: BulkCall): SendBulkEmailCommand {
  const tags = (list: readonly Tag[]) => list.map(({ name, value }) => ({ Name: name, Value: value }));
  return new SendBulkEmailCommand({
    FromEmailAddress: call.from,
    ConfigurationSetName: config('CAMPAIGN_CONFIGURATION_SET'),
    DefaultEmailTags: tags(call.tags),
    DefaultContent: {
      Template: {
        TemplateContent: { Subject: call.subject, Html: call.html, Text: call.text },
        TemplateData: JSON.stringify(call.data),
        Headers: tags(call.headers),
      },
    },
    BulkEmailEntries: call.entries.map((entry) => ({
      Destination: { ToAddresses: [entry.email] },
      ReplacementTags: tags(entry.tags),
      ReplacementHeaders: tags(entry.headers),
      ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData: JSON.stringify(entry.data) } },
    })),
    ConfigurationOverrides: {
      Tracking: {
        OpenTrackingEnabled: call.tracking.opens ? 'ENABLED' : 'DISABLED',
        ClickTrackingEnabled: call.tracking.clicks ? 'ENABLED' : 'DISABLED',
      },
    },
  });
}

/** What stands in the way of everybody, by the status of an entry (API reference, BulkEmailEntryResult). */
const obstacles: Readonly<Partial<Record<BulkEmailStatus, HoldReason>>> = {
  [BulkEmailStatus.ACCOUNT_SUSPENDED]: 'provider_paused',
  [BulkEmailStatus.ACCOUNT_SENDING_PAUSED]: 'provider_paused',
  [BulkEmailStatus.CONFIGURATION_SET_SENDING_PAUSED]: 'provider_paused',
  [BulkEmailStatus.ACCOUNT_DAILY_QUOTA_EXCEEDED]: 'provider_day_used_up',
  [BulkEmailStatus.MAIL_FROM_DOMAIN_NOT_VERIFIED]: 'domain_unverified',
  [BulkEmailStatus.CONFIGURATION_SET_NOT_FOUND]: 'provider_refuses',
  [BulkEmailStatus.TEMPLATE_NOT_FOUND]: 'provider_refuses',
  [BulkEmailStatus.INVALID_SENDING_POOL_NAME]: 'provider_refuses',
};

function entryResult({ Status, MessageId }: BulkEmailEntryResult): EntryResult {
  if (Status === BulkEmailStatus.SUCCESS) return { kind: 'accepted', messageId: MessageId ?? '' };
  const providerCode = Status ?? 'NoStatus';
  const reason = Status && obstacles[Status];
  if (reason) return { kind: 'obstacle', obstacle: { reason, providerCode } };
  if (Status === BulkEmailStatus.ACCOUNT_THROTTLED) return { kind: 'throttled', providerCode };
  if (Status === BulkEmailStatus.TRANSIENT_FAILURE) return { kind: 'transient', providerCode };
  return { kind: 'refused', providerCode };
}

/** Of a call that is refused as a whole, what passes by itself or by the operator's own doing; the rest needs a look. */
const holds: Readonly<Partial<Record<Subject, HoldReason>>> = {
  pause: 'provider_paused',
  allowance: 'provider_day_used_up',
  domain: 'domain_unverified',
  identity: 'provider_unreachable',
};

function brokenCall(error: unknown): BulkResult {
  const { kind, providerCode } = failedCall(error);
  if (kind === 'unknown') return { kind, providerCode };
  if (wasNeverSent(error)) return { kind: 'obstacle', obstacle: { reason: 'provider_unreachable', providerCode } };
  if (kind === 'deferred') return { kind: 'throttled', providerCode };
  const subject = subjectOf(providerCode);
  return { kind: 'obstacle', obstacle: { reason: (subject && holds[subject]) ?? 'provider_refuses', providerCode } };
}
