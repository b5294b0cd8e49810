import { endRunsOfPerson } from './internal/endRuns.ts';
import { RunCounters } from './runCounters.ts';

/** Ends the runs of a person who is being erased, as any run ends. One that starts meanwhile ends with its record. */
export async function endErasedRuns(workspaceId: string, email: string): Promise<void> {
  const counters = new RunCounters();
  await endRunsOfPerson(workspaceId, email, { reason: 'erased' }, counters);
  await counters.write();
}
