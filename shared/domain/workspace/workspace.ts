import type { Language } from '../../language/languages.ts';
import type { FrequencyCap } from '../sending/frequencyCap.ts';
import type { PlanName } from '../sending/quota.ts';
import type { DayCounts } from '../sending/reputation.ts';
import type { DomainProof } from './domainOwnership.ts';
import type { MailBrand } from './mailBrand.ts';
import type { Topic } from './topic.ts';

export interface Domain {
  readonly domain: string;
  /** Mail may be sent from it: SES has verified it, and the workspace holds it. */
  readonly verified: boolean;
  /** Absent while the workspace does not hold it. */
  readonly proof?: DomainProof;
  /** Subdomains that other workspaces hold; absent for none. */
  readonly ceded?: readonly string[];
}

export interface Sender {
  readonly email: string;
  readonly name: string | null;
  readonly default: boolean;
  /** Absent for one of an earlier release. */
  readonly createdAt?: string;
}

export interface Suspension {
  readonly since: string;
  readonly bounceRate: number;
  readonly complaintRate: number;
}

/** Confirmations are paused until `until`; outcomes up to `baseline` (and of earlier days) no longer count. */
export interface ConfirmationPause extends Suspension {
  readonly until: string;
  readonly baseline: DayCounts;
}

/** What an operator configures. */
export interface WorkspaceSettings {
  readonly name: string;
  readonly plan: PlanName;
  readonly language: Language;
  readonly trackOpens: boolean;
  readonly trackClicks: boolean;
  /** Origins that may show the sign-up form in a frame. */
  readonly formOrigins: readonly string[];
  /** Absent for the default form. */
  readonly form?: FormSettings | undefined;
  /** Topics that people can leave; 20 at most. */
  readonly kinds: readonly Topic[];
}

/** The record of a workspace: what a send needs besides its recipients. */
export interface Workspace extends WorkspaceSettings {
  readonly id: string;
  readonly publicId: string;
  readonly createdAt: string;
  /** A workspace that is being deleted is suspended for good. */
  readonly suspension: Suspension | null;
  /** Since when it is being deleted; absent while it is not. */
  readonly endedAt?: string;
  /** The counts of the day on which an operator lifted a suspension. Neither they nor earlier days count any more. */
  readonly reputationBaseline: DayCounts | null;
  /** The latest pause of confirmations, which may be over. */
  readonly confirmationPause: ConfirmationPause | null;
  readonly domains: readonly Domain[];
  readonly senders: readonly Sender[];
  /** The number of changes of `senders`, by which two writers at once are told apart; absent before the first. */
  readonly senderChanges?: number;
  /** The same of `form`. */
  readonly formChanges?: number;
  /** Absent where people may get any number of messages. */
  readonly frequencyCap?: FrequencyCap;
  /** How its mail looks; absent for the default look. */
  readonly mailBrand?: MailBrand;
  /** The number of changes of the brand. */
  readonly brandChanges?: number;
  /** Of `typesOfSends`, those for which a webhook was ever subscribed; absent before the first. */
  readonly listened?: readonly string[];
}

/** The sender of the service's own mail to subscribers; null when the operator has not chosen one. */
export function defaultSender({ senders }: Pick<Workspace, 'senders'>): Sender | null {
  return senders.find((sender) => sender.default) ?? null;
}

/** True while no confirmation is sent. */
export const isPaused = ({ confirmationPause }: Pick<Workspace, 'confirmationPause'>, now: Date): boolean =>
  confirmationPause !== null && new Date(confirmationPause.until) > now;

export type NewWorkspace = Pick<Workspace, 'id' | 'publicId' | 'name' | 'plan' | 'language' | 'createdAt'>;

/** How a workspace's sign-up form differs from the default one. */
export interface FormSettings {
  /** The workspace's own text, above that of the service. */
  readonly text?: string | undefined;
  /** The workspace's privacy policy. */
  readonly privacyUrl?: string | undefined;
  /** Where a person is redirected after signing up: a page of an origin that may show the form. */
  readonly redirectUrl?: string | undefined;
  /** The form's language; absent for that of the browser. */
  readonly language?: Language | undefined;
  /** Questions besides address and names, in this order. */
  readonly fields?: readonly FormField[] | undefined;
}

/** A question of the form. The answer becomes the subscriber's custom field of this name. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  /** The possible answers; absent for free text. */
  readonly choices?: readonly string[] | undefined;
}

/** Few and short: they are part of the workspace's record, which every send reads. */
export const formFieldBounds = { fields: 5, label: 60, choices: 10, answer: 200 } as const;

/** The origin of a page's address, as `parseWebOrigin` accepts it; null for an address that we must not link to. */
export function originOfPage(address: string): string | null {
  if (!URL.canParse(address) || /[\s"'<>\\]/.test(address)) return null;
  const { origin, username, password } = new URL(address);
  return username || password ? null : parseWebOrigin(origin);
}

/** Where to redirect a person who has signed up; null without a target, or when its origin is no longer allowed. */
export function redirectOf({ redirectUrl }: FormSettings, origins: readonly string[]): string | null {
  const origin = redirectUrl === undefined ? null : originOfPage(redirectUrl);
  return redirectUrl !== undefined && origin !== null && origins.includes(origin) ? new URL(redirectUrl).href : null;
}

const secureOrigin = /^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::[0-9]{1,5})?$/;
const loopbackOrigin = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::[0-9]{1,5})?$/;

/**
 * Parses a web origin (RFC 6454 section 6.2): https, or http on the loopback; null for anything else. The result is safe
 * in a `frame-ancestors` directive.
 */
export function parseWebOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { origin, href } = new URL(text);
  if (href !== `${origin}/`) return null;
  return secureOrigin.test(origin) || loopbackOrigin.test(origin) ? origin : null;
}

/** `owner` may do everything, `editor` all daily work, `viewer` may only read. */
export const operatorRoles = ['owner', 'editor', 'viewer'] as const;
export type OperatorRole = (typeof operatorRoles)[number];
