import type { PersonEvent } from '../../../domain/personEvents/personEvent.ts';
import type { WrittenWithEvent } from '../../../store/personEvents/personEvents.ts';

/** What happens with the events of a name besides being kept. */
interface EventListeners {
  /** Written in the transaction of an event: with it, or not at all. */
  partsFor(event: PersonEvent): WrittenWithEvent;
  /** Called after that. It never throws: an event that was written is acted on by the sweeper at the latest. */
  announce(event: PersonEvent): Promise<void>;
}

/** Null while nothing in the workspace listens to events of this name. */
export const listenersOf = async (_workspaceId: string, _name: string): Promise<EventListeners | null> => null;
