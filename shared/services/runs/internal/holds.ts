import {
  type AutomationHoldReason,
  isNewHold,
  isReleasedBy,
  type SendPlace,
} from '../../../domain/automation/automation.ts';
import { logger } from '../../../platform/logger.ts';
import { sendAutomationMessages } from '../../../queue/automation.ts';
import { type AutomationHead, holdAutomation, releaseAutomation } from '../../../store/automation/automations.ts';
import { announceHold } from './runEvents.ts';

/** Notes why no send of an automation works at the moment, and tells its webhooks. Each run tries again by itself. */
export async function hold(
  head: AutomationHead,
  reason: AutomationHoldReason,
  place: SendPlace,
  now: Date,
): Promise<void> {
  const held = { reason, since: now.toISOString(), ...place };
  if (!isNewHold(head, reason, place, now) || !(await holdAutomation(head, held))) return;
  logger.warn('No send of an automation can work at the moment.', { automation_id: head.id, reason });
  await announceHold(head, held, now);
}

/** Notes that a send worked again, so that the runs that wait are woken. */
export async function release(head: AutomationHead, place: SendPlace, now: Date): Promise<void> {
  if (!isReleasedBy(head, place, now) || !(await releaseAutomation(head, now))) return;
  await announceHold(head, null, now);
  const entry = { kind: 'jobs', workspace_id: head.workspaceId, automation_id: head.id } as const;
  await sendAutomationMessages([{ entry }]).catch((error: unknown) =>
    logger.error('Runs that waited could not be queued; the sweeper will.', error as Error),
  );
}
