import { type BulkEmailEntryResult, BulkEmailStatus, SendBulkEmailCommand } from '@aws-sdk/client-sesv2';
import type { HoldReason } from '../domain/campaign/campaign.ts';
import { config } from '../platform/config.ts';
import { wasBegunTooLate, wasNeverSent } from '../platform/httpClient.ts';
import { failedCall, provider, type Subject, subjectOf } from './ses.ts';

interface Tag {
  readonly name: string;
  readonly value: string;
}

/** One recipient of a bulk call. */
interface BulkEntry {
  readonly email: string;
  readonly data: Readonly<Record<string, string>>;
  readonly headers: readonly Tag[];
  readonly tags: readonly Tag[];
}

/** One message to at most 50 recipients, each with their own template values. */
export interface BulkCall {
  readonly from: string;
  /** Where answers go; to the sender by default. */
  readonly replyTo?: readonly string[] | undefined;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly data: Readonly<Record<string, string>>;
  readonly headers: readonly Tag[];
  readonly tags: readonly Tag[];
  readonly entries: readonly BulkEntry[];
  readonly tracking: { readonly opens: boolean; readonly clicks: boolean };
}

/** Why a campaign cannot continue for now. */
export interface Obstacle {
  readonly reason: HoldReason;
  /** Null when SES was not called. */
  readonly providerCode: string | null;
}

/** The outcome for one recipient. All but `accepted` were certainly not accepted. */
export type EntryResult =
  | { readonly kind: 'accepted'; readonly messageId: string }
  | { readonly kind: 'throttled' | 'transient' | 'refused'; readonly providerCode: string }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle };

/**
 * The outcome of a call. `unknown`: it may have been accepted, completely or in part; only its events can tell. `too
 * late`: it could not begin in time and was not made.
 */
export type BulkResult =
  | { readonly kind: 'answered'; readonly entries: readonly EntryResult[] }
  | { readonly kind: 'throttled'; readonly providerCode: string }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle }
  | { readonly kind: 'too late' }
  | { readonly kind: 'unknown'; readonly providerCode: string };

/** Makes one call, without retries, which could send twice. HTTP 200 says nothing about its entries. */
export async function sendBulk(call: BulkCall, abortSignal: AbortSignal): Promise<BulkResult> {
  try {
    const { BulkEmailEntryResults = [] } = await provider.send(commandOf(call), { abortSignal });
    if (BulkEmailEntryResults.length !== call.entries.length)
      return { kind: 'unknown', providerCode: 'MissingResults' };
    const entries = BulkEmailEntryResults.map(entryResult);
    // SES gives every accepted message an id: an answer without one comes from a proxy.
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
    ...(call.replyTo && { ReplyToAddresses: [...call.replyTo] }),
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

/** Statuses of an entry that concern all recipients (API reference, BulkEmailEntryResult). */
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

/** The hold reason after a whole call was refused; all other errors count as `provider_refuses`. */
const holds: Readonly<Partial<Record<Subject, HoldReason>>> = {
  pause: 'provider_paused',
  allowance: 'provider_day_used_up',
  domain: 'domain_unverified',
  identity: 'provider_unreachable',
};

function brokenCall(error: unknown): BulkResult {
  const { kind, providerCode } = failedCall(error);
  if (kind === 'unknown') return { kind, providerCode };
  if (wasBegunTooLate(error)) return { kind: 'too late' };
  if (wasNeverSent(error)) return { kind: 'obstacle', obstacle: { reason: 'provider_unreachable', providerCode } };
  if (kind === 'deferred') return { kind: 'throttled', providerCode };
  const subject = subjectOf(providerCode);
  return { kind: 'obstacle', obstacle: { reason: (subject && holds[subject]) ?? 'provider_refuses', providerCode } };
}
