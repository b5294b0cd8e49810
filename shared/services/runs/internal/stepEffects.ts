import { ServiceError } from '../../../contract/errors.ts';
import { isAwaited, type RunEffects, type WaitEnd, waitedSince } from '../../../domain/automation/advance.ts';
import type { AutomationDefinition, WaitConfig } from '../../../domain/automation/automation.ts';
import { filledUpdate } from '../../../domain/automation/personUpdate.ts';
import { type AutomationRun, currentEntry, usedEvents } from '../../../domain/automation/run.ts';
import { fillValues } from '../../../domain/automation/variables.ts';
import { derivedIdAt } from '../../../domain/identifier.ts';
import { eventBody, heldDelivery, newDelivery } from '../../../domain/webhook/delivery.ts';
import { type DeliveredType, stepEventType } from '../../../domain/webhook/webhook.ts';
import { logger } from '../../../platform/logger.ts';
import { getActivity, personEventsSince } from '../../../store/personEvents/personEvents.ts';
import { addDelivery } from '../../../store/webhook/deliveries.ts';
import { getWebhook } from '../../../store/webhook/webhooks.ts';
import { dispatchDeliveries } from '../../events.ts';
import { isBusy } from '../../people.ts';
import { changeSubscriber } from '../../subscribers/saveSubscriber.ts';
import { mailEventsOf, type RunReader } from './runFacts.ts';
import { emailIdOf, runSummary } from './runJson.ts';

/** What steps read and change, for `advance`. Each change is made again after a crash, to the same effect. */
export function stepEffects(definition: AutomationDefinition, reader: RunReader, now: Date): RunEffects {
  return {
    passes: (rule, run) => reader.passes(rule, run),
    update: (step, run) => update(step.config, run, reader, now),
    callWebhook: (step, run) => callWebhook(step, run, definition, reader),
    findEvent: (wait, run) => findEvent(wait, run, definition, reader, now),
  };
}

type EffectOf<Name extends 'update' | 'callWebhook'> = Parameters<RunEffects[Name]>[0];

async function update(
  config: EffectOf<'update'>['config'],
  run: AutomationRun,
  reader: RunReader,
  now: Date,
): Promise<boolean> {
  const change = filledUpdate(config, await reader.variables(run));
  try {
    await changeSubscriber({ workspaceId: run.workspaceId, email: run.email }, change, now, { depth: run.depth + 1 });
    reader.changed(change);
    return true;
  } catch (error) {
    // The person left meanwhile, which ends the run, or has as many tags or fields as one may have.
    if (!(error instanceof ServiceError) || isBusy(error)) throw error;
    logger.warn('A step of an automation could not change a subscriber.', { run_id: run.id, code: error.code });
    return error.code !== 'validation_error';
  }
}

/** The delivery's id derives from run and step, so that a receiver gets no second event. */
async function callWebhook(
  { key, config }: EffectOf<'callWebhook'>,
  run: AutomationRun,
  definition: AutomationDefinition,
  reader: RunReader,
): Promise<boolean> {
  const { workspaceId } = run;
  const webhook = await getWebhook({ workspaceId, webhookId: config.webhook_id });
  if (!webhook) return false;
  const { value } = fillValues(config.data ?? {}, await reader.variables(run));
  const at = new Date(currentEntry(run)?.startedAt ?? run.dueAt);
  const eventId = derivedIdAt('evt', at, `${run.id}#${key}`);
  const data = { run: runSummary(run, definition), step: key, data: value };
  const event = {
    ...{ eventId, eventType: stepEventType as DeliveredType, createdAt: at },
    body: eventBody({ id: eventId, type: stepEventType, at, data }),
  };
  const deliveryId = derivedIdAt('whd', at, `${eventId}#${webhook.webhookId}`);
  const position = { workspaceId, webhookId: webhook.webhookId, deliveryId };
  const delivery = webhook.enabled
    ? { ...newDelivery(position, event), dueAt: at }
    : heldDelivery(newDelivery(position, event));
  if (await addDelivery(delivery)) await dispatchDeliveries([delivery]);
  return true;
}

/** Enough for the events of one person and name within a wait. */
export const mostEvents = 500;

/**
 * The first event that ends a wait. The event is written before waiters are read, and the waiter before the activity is
 * read, both strongly: one of both sees the other.
 */
async function findEvent(
  wait: WaitConfig,
  run: AutomationRun,
  definition: AutomationDefinition,
  reader: RunReader,
  now: Date,
): Promise<WaitEnd | null> {
  const { workspaceId, email } = run;
  const { event_name: name, step, mail } = wait;
  if (step !== undefined && mail !== undefined) {
    const entry = run.story.find((one) => definition.steps[one.step]?.key === step);
    if (!entry) return null;
    const id = emailIdOf(run, step, entry.startedAt);
    const until = new Date(run.wakesAt ?? now);
    const first = (await mailEventsOf(run, definition, step))[mail].find((at) => isAwaitedMail(run, wait, id, at));
    return first && first <= until ? { id, at: first } : null;
  }
  if (name === undefined) return null;
  const since = waitedSince(run, wait);
  const activity = await getActivity(workspaceId, email, name);
  if (!activity || activity.recordedAt < since) return null;
  const used = usedEvents(run);
  for (const event of await personEventsSince(workspaceId, email, { name, since, limit: mostEvents }, now)) {
    if (used.has(event.id) || !isAwaited(run, wait, new Date(event.createdAt))) continue;
    if (!wait.filter_rule || (await reader.passes(wait.filter_rule, run, event.data)))
      return { id: event.id, at: new Date(event.createdAt) };
  }
  return null;
}

/** Whether a wait is for what a reader did then: each act ends one wait, and only one that had begun, or its run. */
export function isAwaitedMail(run: AutomationRun, wait: WaitConfig, emailId: string, at: Date): boolean {
  const used = run.story.filter(({ event }) => event === emailId).map(({ completedAt = 0 }) => completedAt);
  return isAwaited(run, wait, at) && at.getTime() > Math.max(0, ...used);
}
