import type { AutomationDefinition } from '../../../domain/automation/automation.ts';
import type { AutomationHead } from '../../../store/automation/automations.ts';

/** Begins to look at everybody for a start by segment or date; what it does not finish stays due. */
export async function prepareTrigger(_head: AutomationHead, _definition: AutomationDefinition): Promise<void> {}
