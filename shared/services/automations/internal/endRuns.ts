import type { AutomationHead } from '../../../store/automation/automations.ts';

/** Begins to end the runs of earlier epochs; what it does not finish stays due. */
export async function endRunsOf(_head: AutomationHead): Promise<void> {}

/** Begins to wake the runs that rested while the automation was disabled. */
export async function wakeRunsOf(_head: AutomationHead): Promise<void> {}
