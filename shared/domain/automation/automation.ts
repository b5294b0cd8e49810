import type { Tracking } from '../sending/email.ts';

/**
 * Automations as they are stored: a definition keeps the names and the texts of the API (`"3 days"`, `max_delay`), so that
 * what was written is what is read back. `definitionSchema.ts` reads one and completes it; nothing here is checked again.
 */

export const automationStatuses = ['disabled', 'enabled', 'draining'] as const;
export type AutomationStatus = (typeof automationStatuses)[number];

/** Why no send of an automation can work at the moment. */
export const holdReasons = [
  'template_deleted',
  'unverified_from_domain',
  'reputation_blocked',
  'quota_exceeded',
  'provider_refuses',
] as const;
export type AutomationHoldReason = (typeof holdReasons)[number];
/** Those that lie in the message of one step; the others concern every message of a workspace or an account. */
const reasonsOfStep: readonly AutomationHoldReason[] = ['template_deleted', 'unverified_from_domain'];

/** Where a message could not be sent, or was. */
export interface SendPlace {
  readonly version: number;
  readonly step: string;
}

export interface Held extends Partial<SendPlace> {
  readonly reason: AutomationHoldReason;
  /** ISO 8601 UTC. */
  readonly since: string;
}

/** A hold as it is shown. */
export const shownHold = (held: Held | null) => held && { reason: held.reason, since: held.since };

/** A hold and its release are noted once in this time at most: each tells webhooks, and a release wakes every run. */
const holdMilliseconds = 600_000;

type HeldHead = Pick<Automation, 'version' | 'held'>;

const isRecent = ({ held }: HeldHead, now: Date): boolean =>
  held !== null && now.getTime() - Date.parse(held.since) < holdMilliseconds;

/** Whether a message that cannot be sent holds its automation. An earlier version's step is no reason: later ones send. */
export const isNewHold = (head: HeldHead, reason: AutomationHoldReason, { version }: SendPlace, now: Date): boolean =>
  head.held?.reason !== reason && !isRecent(head, now) && (version === head.version || !reasonsOfStep.includes(reason));

/** Whether a message that was sent ends the hold: for a reason of a step, only that step's, or one of a later version. */
export function isReleasedBy(head: HeldHead, { version, step }: SendPlace, now: Date): boolean {
  const { held } = head;
  if (!held || isRecent(head, now)) return false;
  if (!reasonsOfStep.includes(held.reason) || held.version === undefined) return true;
  return version > held.version || (version === held.version && step === held.step);
}

/** The head of an automation. Its settings hold at once for all runs; a run keeps the definition it began with. */
export interface Automation extends LiveSettings {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly status: AutomationStatus;
  /** Rises with each change of the definition; the first is 1. */
  readonly version: number;
  /** Rises with each stop and with the deletion: a run of an earlier epoch has ended. */
  readonly epoch: number;
  readonly held: Held | null;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface LiveSettings {
  /** The tag (`name:value`) of the topic that people can leave. */
  readonly tag: string | null;
  readonly quietHours: QuietHours | null;
  /** A duration; null: a late message is sent all the same. */
  readonly maxDelay: string | null;
}

/** Times of day (`21:00`) in a zone: a message waits for `to`. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  /** A field of the subscriber with a zone, which comes before `zone`. */
  readonly zone_field?: string | undefined;
}

/** What a run does, and when one starts. Never changed once stored: each change is a version of its own. */
export interface AutomationDefinition {
  /** The first is the trigger. */
  readonly steps: readonly [TriggerStep, ...AutomationStep[]];
  readonly connections: readonly StepConnection[];
  readonly reentry: Reentry;
  /** A path such as `event.order_id`: one open run, and re-entry, for each value. */
  readonly run_key: string | null;
  readonly goals: readonly Goal[];
  /** For sends that name none. */
  readonly from: string | null;
  readonly reply_to: readonly string[] | null;
  readonly track: Partial<Tracking> | null;
}

export type Reentry = 'once' | 'always' | { readonly after_days: number };

export type Goal =
  | { readonly event_name: string; readonly filter_rule?: AutomationRule | undefined }
  | { readonly rule: AutomationRule };

export const connectionTypes = ['default', 'condition_met', 'condition_not_met', 'event_received', 'timeout'] as const;
export type ConnectionType = (typeof connectionTypes)[number];

export interface StepConnection {
  readonly from: string;
  readonly to: string;
  readonly type: ConnectionType;
}

/** A rule of an automation in JSON; `automationRule.ts` reads and decides it. */
export type AutomationRule = object;

export type Trigger =
  | { readonly event_name: string; readonly filter_rule?: AutomationRule | undefined }
  | { readonly source: 'subscribed'; readonly include_imports?: boolean | undefined }
  | { readonly source: 'tag_added'; readonly tag: string }
  | {
      readonly source: 'field_changed';
      readonly field: string;
      readonly from?: string | number | boolean | undefined;
      readonly to?: string | number | boolean | undefined;
    }
  | { readonly source: 'segment_entered'; readonly segment_id: string; readonly include_present?: boolean | undefined }
  | ({ readonly source: 'date'; readonly every?: 'year' | undefined } & FieldDate)
  | { readonly source: 'manual' };

/** The time `at` in `zone` on the date in a subscriber's field, some days later or earlier. */
export interface FieldDate {
  readonly field: string;
  readonly offset_days?: number | undefined;
  /** `09:00` */
  readonly at: string;
  readonly zone: string;
}

interface TriggerStep {
  readonly key: string;
  readonly type: 'trigger';
  readonly config: Trigger;
}

export type AutomationStep =
  | TriggerStep
  | { readonly key: string; readonly type: 'send_email'; readonly config: SendConfig }
  | { readonly key: string; readonly type: 'delay'; readonly config: DelayConfig }
  | { readonly key: string; readonly type: 'wait_for_event'; readonly config: WaitConfig }
  | { readonly key: string; readonly type: 'condition'; readonly config: AutomationRule }
  | { readonly key: string; readonly type: 'subscriber_update'; readonly config: UpdateConfig }
  | { readonly key: string; readonly type: 'webhook'; readonly config: WebhookConfig }
  | { readonly key: string; readonly type: 'exit'; readonly config: { readonly reason?: string | undefined } };

/** The connections that may lead on from a step, in the order in which they are shown. */
export const connectionsOf: Readonly<Record<AutomationStep['type'], readonly ConnectionType[]>> = {
  trigger: ['default'],
  send_email: ['default'],
  delay: ['default'],
  wait_for_event: ['event_received', 'timeout'],
  condition: ['condition_met', 'condition_not_met'],
  subscriber_update: ['default'],
  webhook: ['default'],
  exit: [],
};

/** A value, or `{"var": "event.order_id"}`: the value at this path. */
type StepValue = string | number | boolean | null | { readonly var: string } | readonly unknown[] | object;

interface SendConfig {
  readonly template?:
    | {
        readonly id: string;
        readonly version?: number | undefined;
        readonly variables?: Readonly<Record<string, StepValue>> | undefined;
      }
    | undefined;
  readonly subject?: string | undefined;
  readonly html?: string | undefined;
  readonly text?: string | undefined;
  readonly from?: string | undefined;
  readonly reply_to?: readonly string[] | undefined;
  readonly track?: Partial<Tracking> | undefined;
  readonly tag?: string | undefined;
  readonly max_delay?: string | null | undefined;
  readonly on_failure?: 'end' | 'continue' | undefined;
}

export interface DelayConfig {
  readonly duration?: string | undefined;
  readonly until?:
    | {
        readonly time: string;
        readonly zone: string;
        readonly zone_field?: string | undefined;
        readonly weekdays?: readonly Weekday[] | undefined;
      }
    | undefined;
  readonly until_field?: (FieldDate & { readonly if_missing: 'continue' | 'exit' }) | undefined;
}

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
type Weekday = (typeof weekdays)[number];

export interface WaitConfig {
  readonly event_name?: string | undefined;
  /** Instead of an event: what became of the message of a step. */
  readonly step?: string | undefined;
  readonly mail?: 'opened' | 'clicked' | undefined;
  readonly filter_rule?: AutomationRule | undefined;
  /** Completed with the default of 30 days. */
  readonly timeout: string;
  readonly since?: 'step' | 'run' | undefined;
}

export interface UpdateConfig {
  readonly add_tags?: readonly string[] | undefined;
  readonly remove_tags?: readonly string[] | undefined;
  readonly fields?: Readonly<Record<string, StepValue>> | undefined;
  readonly firstName?: StepValue | undefined;
  readonly lastName?: StepValue | undefined;
}

interface WebhookConfig {
  readonly webhook_id: string;
  readonly data?: Readonly<Record<string, StepValue>> | undefined;
}
