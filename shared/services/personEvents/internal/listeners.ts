import { eventCause, isListenedTo } from '../../../domain/automation/cause.ts';
import type { PersonEvent } from '../../../domain/personEvents/personEvent.ts';
import { logger } from '../../../platform/logger.ts';
import { sendAutomationMessages } from '../../../queue/automation.ts';
import { changeDue } from '../../../store/automation/changes.ts';
import { readListened } from '../../../store/automation/listeners.ts';
import type { WrittenWithEvent } from '../../../store/personEvents/personEvents.ts';

/** What happens with the events of a name besides being kept. */
interface EventListeners {
  /** Written in the transaction of an event: with it, or not at all. */
  partsFor(event: PersonEvent): WrittenWithEvent;
  /** Called after that. It never throws: an event that was written is acted on by the sweeper at the latest. */
  announce(event: PersonEvent): Promise<void>;
}

/**
 * Null while no automation of the workspace listens to events of this name. Its definitions decide, and not who waits at
 * the moment: a wait may begin meanwhile.
 */
export async function listenersOf(workspaceId: string, name: string): Promise<EventListeners | null> {
  const listened = await readListened(workspaceId);
  return isListenedTo(listened, eventCause(name)) ? toAutomations : null;
}

const toAutomations: EventListeners = {
  partsFor: ({ workspaceId, email, createdAt }) => ({ due: changeDue(workspaceId, email, new Date(createdAt)) }),
  announce: async ({ workspaceId, email, id }) => {
    try {
      await sendAutomationMessages([{ entry: { kind: 'event', workspace_id: workspaceId, email, event_id: id } }]);
    } catch (error) {
      logger.error('An event could not be queued for automations; the sweeper will.', error as Error);
    }
  },
};
