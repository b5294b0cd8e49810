import { setTimeout as wait } from 'node:timers/promises';
import { type Campaign, chunkInfo, type Freeze, sizeOfSlice } from '../../../domain/campaign/campaign.ts';
import { messageMarker, type SetName, type SliceSets, setOf, slicePositions } from '../../../domain/campaign/slice.ts';
import { epochSeconds, now, secondsInDay } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import { logger } from '../../../platform/logger.ts';
import { addToSlice, getSlice, type SlicePosition } from '../../../store/campaign/slices.ts';
import { type CounterBuffer, reportDoubled } from '../../campaigns/counters.ts';

/** What one report adds to a slice. */
export interface SliceReport {
  readonly freeze: Freeze;
  readonly campaign: Campaign;
  readonly chunk: number;
  /** In the chunk. */
  readonly position: number;
  readonly attempt: string;
  /** The provider's id of the message; null when it dropped it. */
  readonly messageId: string | null;
  readonly names: readonly SetName[];
}

export const slicePositionOf = ({ campaign, chunk, position }: SliceReport): SlicePosition => ({
  workspaceId: campaign.workspaceId,
  campaignId: campaign.id,
  chunk,
  slice: Math.floor(position / slicePositions),
});

/** Reports about one slice that arrive together, gathered into one write. */
interface SliceGroup {
  readonly slice: SlicePosition;
  readonly size: number;
  readonly sets: Map<SetName, Set<number>>;
  readonly provenAttempts: Set<string>;
  readonly messageMarkers: Set<number>;
}

interface OpenGroup extends SliceGroup {
  readonly written: Promise<void>;
}

const gatherMilliseconds = 25;
const openGroups = new Map<string, OpenGroup>();

/**
 * Adds a report to its slice. Resolves when it is written, together with the other reports that arrived within 25 ms.
 * The counters are changed in the buffer of the first of them; if a crash loses them, the next recount restores them.
 */
export function addReport(report: SliceReport, counters: CounterBuffer): Promise<void> {
  const slice = slicePositionOf(report);
  const key = [slice.workspaceId, slice.campaignId, slice.chunk, slice.slice].join('#');
  const group = openGroups.get(key) ?? openGroup(key, slice, report, counters);
  const position = report.position % slicePositions;
  for (const name of report.names) group.sets.set(name, (group.sets.get(name) ?? new Set()).add(position));
  group.provenAttempts.add(report.attempt);
  if (report.messageId !== null) group.messageMarkers.add(messageMarker(position, report.messageId));
  return group.written;
}

function openGroup(key: string, slice: SlicePosition, { freeze }: SliceReport, counters: CounterBuffer): OpenGroup {
  const size = sizeOfSlice(chunkInfo(freeze, slice.chunk)?.people ?? 0, slice.slice);
  const group: SliceGroup = {
    slice,
    size,
    sets: new Map(),
    provenAttempts: new Set(),
    messageMarkers: new Set(),
  };
  const written = wait(gatherMilliseconds).then(() => {
    openGroups.delete(key);
    return write(group, counters);
  });
  const open = { ...group, written };
  openGroups.set(key, open);
  return open;
}

async function write(group: SliceGroup, counters: CounterBuffer): Promise<void> {
  const { slice, provenAttempts, messageMarkers, size } = group;
  const sets: SliceSets = Object.fromEntries(group.sets);
  if (await isStored(slice, sets, messageMarkers)) return;
  const expiresAt = epochSeconds(now()) + config('EMAIL_RETENTION_DAYS') * secondsInDay;
  const before = await addToSlice(slice, { sets, provenAttempts, messageMarkers, expiresAt });
  if (!before) throw new Error('A report could not be added to its slice.');
  reportDoubled(slice, before.messageMarkers, messageMarkers);
  counters.add(slice, before, sets, size);
}

/** The acceptance is mostly known already from the answer to the call: a read then saves the write. */
async function isStored(slice: SlicePosition, sets: SliceSets, messageMarkers: ReadonlySet<number>): Promise<boolean> {
  const names = Object.keys(sets);
  if (names.length !== 1 || names[0] !== 'accepted') return false;
  const stored = await getSlice(slice);
  const isAccepted = [...setOf(sets, 'accepted')].every((position) => setOf(stored.sets, 'accepted').has(position));
  return isAccepted && [...messageMarkers].every((marker) => stored.messageMarkers.has(marker));
}

export function reportOrphan(workspaceId: string, campaignId: string): void {
  logger.warn('Feedback belongs to no campaign.', { workspace_id: workspaceId, campaign_id: campaignId });
}
