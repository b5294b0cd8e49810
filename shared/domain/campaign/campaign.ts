import type { TrackingWish } from '../sending/tracking.ts';
import type { TemplateVersion } from '../template/template.ts';
import type { VariantResult } from './abTest.ts';
import { chunkPositions, slicePositions } from './slice.ts';
import type { CampaignKind, CampaignStatus } from './status.ts';

/** A campaign as its lists and its runners see it; what it says is kept apart, since only few look at that. */
export interface Campaign {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly preheader: string | null;
  /** As it was written: an address or `Name <address>`. */
  readonly from: string;
  readonly kind: CampaignKind;
  readonly status: CampaignStatus;
  readonly segmentId: string | null;
  /** The kind of mail that it is, by its tag (`name:value`): whoever has left that gets nothing. */
  readonly tag?: string | null;
  readonly test: AbTest | null;
  /** How its messages are tracked; what it leaves out is as the workspace has it when they are sent. */
  readonly track: TrackingWish;
  /** How often it was edited since it was made; what was seen at one count is not changed at another. */
  readonly revision?: number;
  /** Whose edits the audit log speaks of, and since when: what somebody writes in one go is one entry. */
  readonly noted?: { readonly by: string; readonly at: string } | null;
  /** What it began as a copy of. */
  readonly template?: TemplateVersion | null;
  /** Null until its people are frozen. */
  readonly freeze: Freeze | null;
  /** Why it does not go on; null when it does. */
  readonly hold: Hold | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly scheduledAt: string | null;
  readonly sentAt: string | null;
}

export interface AbTest {
  readonly variants: number;
  readonly share: number;
  readonly decideBy: 'opens' | 'clicks';
  readonly waitHours: number;
  /** When the winner is chosen: from the outcome of the last test message on. */
  readonly decideAt: string | null;
  readonly winner: number | null;
  /** What each variant had come to when the winner was chosen. */
  readonly results?: readonly VariantResult[] | null;
}

/** The list of people at one moment, in numbered chunks. */
export interface Freeze {
  readonly id: string;
  readonly at: string;
  /** Who gets which variant, in the order of the chunks; those who wait for the winner of a test are the last. */
  readonly groups: readonly FrozenGroup[];
  readonly runners: number;
  /** The month whose quota it took, `2026-11`. */
  readonly month: string;
}

/** Every chunk of a group is full but its last one. */
export interface FrozenGroup {
  /** Null: what wins the test. */
  readonly variant: number | null;
  readonly people: number;
}

export const chunksOfGroup = ({ people }: FrozenGroup): number => Math.ceil(people / chunkPositions);

export const frozenPeople = ({ groups }: Freeze): number => groups.reduce((sum, { people }) => sum + people, 0);

/** How far its runners may go at the moment: not beyond the test before somebody has won it. */
export function openChunks({ freeze, test }: Pick<Campaign, 'freeze' | 'test'>): number {
  const isUndecided = test !== null && test.winner === null;
  const groups = freeze?.groups.filter(({ variant }) => !isUndecided || variant !== null) ?? [];
  return groups.reduce((sum, group) => sum + chunksOfGroup(group), 0);
}

/** Where a chunk belongs: its group's variant, and how many people it holds. */
export function chunkInfo({ groups }: Freeze, chunk: number): FrozenGroup | null {
  let first = 0;
  for (const group of groups) {
    const chunks = chunksOfGroup(group);
    if (chunk < first + chunks) {
      const people = Math.min(chunkPositions, group.people - (chunk - first) * chunkPositions);
      return { variant: group.variant, people };
    }
    first += chunks;
  }
  return null;
}

/** How many people a slice of such a chunk holds. */
export const sizeOfSlice = (peopleOfChunk: number, slice: number): number =>
  Math.max(0, Math.min(slicePositions, peopleOfChunk - slice * slicePositions));

export const holdReasons = [
  'operator',
  'canceled',
  'workspace_suspended',
  'provider_paused',
  'provider_day_used_up',
  'provider_unreachable',
  'provider_refuses',
  'domain_unverified',
] as const;
export type HoldReason = (typeof holdReasons)[number];

export interface Hold {
  readonly reason: HoldReason;
  readonly since: string;
  /** The provider's own word for it. */
  readonly providerCode: string | null;
}

/** Only an operator ends these; the others end when what they wait for has passed. */
export const isForOperator = ({ reason }: Hold): boolean => reason === 'operator' || reason === 'provider_refuses';
