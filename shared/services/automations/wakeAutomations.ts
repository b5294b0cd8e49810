import { overtaken, untilSettled } from '../../platform/deadline.ts';
import { inParallel } from '../../platform/parallel.ts';
import { askForWake, getAutomation, listAutomations } from '../../store/automation/automations.ts';
import { beginJobs } from './internal/beginJobs.ts';

const automationsAtOnce = 10;

/** Wakes every run of a workspace whose message is waiting, since what it waits for may be over. */
export async function wakeRunsOfWorkspace(workspaceId: string, now: Date): Promise<void> {
  // Those of a disabled automation are woken when it is enabled.
  const heads = (await listAutomations(workspaceId)).filter(({ status }) => status !== 'disabled');
  await inParallel(automationsAtOnce, heads, ({ id }) =>
    untilSettled(async () => {
      const head = await getAutomation(workspaceId, id);
      if (!head) return;
      if (!(await askForWake(head, now))) return overtaken;
      return beginJobs(head);
    }),
  );
}
