import type { Language } from '../../language/languages.ts';
import type { PlanName } from '../sending/plan.ts';
import type { DayCounts } from '../sending/reputation.ts';
import type { FormSettings } from './formSettings.ts';

export interface Domain {
  readonly domain: string;
  readonly verified: boolean;
}

export interface Sender {
  readonly email: string;
  readonly name: string | null;
  readonly default: boolean;
}

export interface Suspension {
  readonly since: string;
  readonly bounceRate: number;
  readonly complaintRate: number;
}

/** All mail that bears a tag (`name:value`), and what people call it. */
export interface MailKind {
  readonly tag: string;
  readonly name: string;
}

/** What an operator decides. */
export interface WorkspaceSettings {
  readonly name: string;
  readonly plan: PlanName;
  readonly language: Language;
  readonly trackOpens: boolean;
  readonly trackClicks: boolean;
  /** Origins that may show the sign-up form in a frame. */
  readonly formOrigins: readonly string[];
  /** Absent while the form is the plain one. */
  readonly form?: FormSettings | undefined;
  /** Kinds of mail that a person may leave by themselves; 20 at most. */
  readonly kinds: readonly MailKind[];
}

/** All that a send looks at besides its recipients. */
export interface Workspace extends WorkspaceSettings {
  readonly id: string;
  readonly publicId: string;
  readonly createdAt: string;
  readonly suspension: Suspension | null;
  /** What the day on which an operator lifted a suspension had counted by then: neither it nor earlier days count. */
  readonly reputationBaseline: DayCounts | null;
  readonly domains: readonly Domain[];
  readonly senders: readonly Sender[];
}

export type NewWorkspace = Pick<Workspace, 'id' | 'publicId' | 'name' | 'plan' | 'language' | 'createdAt'>;
