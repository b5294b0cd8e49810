import { type AutomationDefinition, shownHold } from '../../../domain/automation/automation.ts';
import type { AutomationRun } from '../../../domain/automation/run.ts';
import type { Delivery, NewEvent } from '../../../domain/webhook/delivery.ts';
import { logger } from '../../../platform/logger.ts';
import type { AutomationHead } from '../../../store/automation/automations.ts';
import { listWebhooks } from '../../../store/webhook/webhooks.ts';
import { dispatchDeliveries, newDeliveries, writeEvents } from '../../events.ts';
import { runSummary } from './runJson.ts';

/** The deliveries by which webhooks learn of the start or the end of a run, written with it. */
export function deliveriesOfRun(
  type: 'automation.run.started' | 'automation.run.finished',
  run: AutomationRun,
  definition: AutomationDefinition,
  now: Date,
): Promise<Delivery[]> {
  const event: NewEvent = { type, cause: `${run.id}#${type}`, at: now, data: runSummary(run, definition) };
  return newDeliveries(run.workspaceId, [event], () => listWebhooks(run.workspaceId));
}

/** Tells webhooks that sends of an automation wait, and why; null: they go on. */
export async function announceHold(head: AutomationHead, held: AutomationHead['held'], now: Date): Promise<void> {
  try {
    const data = { automation_id: head.id, name: head.name, held: shownHold(held) };
    const event: NewEvent = { type: 'automation.held', cause: `${head.id}#held#${now.toISOString()}`, at: now, data };
    await dispatchDeliveries(await writeEvents(head.workspaceId, [event], () => listWebhooks(head.workspaceId)));
  } catch (error) {
    logger.error('That an automation waits was not reported to its webhooks.', error as Error);
  }
}
