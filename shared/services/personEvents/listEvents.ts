import { ValidationError } from '../../contract/errors.ts';
import type { Input, Output, Result } from '../../contract/route.ts';
import type { listEventsRoute } from '../../contract/routes/events.ts';
import { canonicalAddress } from '../../domain/address.ts';
import { isId } from '../../domain/identifier.ts';
import type { PersonEvent } from '../../domain/personEvents/personEvent.ts';
import { textsOf } from '../../language/text.ts';
import { pageOfPersonEvents } from '../../store/personEvents/personEvents.ts';
import type { Context } from '../context.ts';
import { requireRole } from '../operatorVerb.ts';

const texts = textsOf({
  after: { en: 'is not the id of an event', fr: 'n’est pas l’identifiant d’un événement' },
});

export type ListedEvent = Output<typeof listEventsRoute>['data'][number];

/** The events of a person, last recorded first; none of an unknown address. */
export async function listEvents(
  context: Context,
  { email, name, limit, after }: Input<typeof listEventsRoute>,
): Promise<Result<typeof listEventsRoute>> {
  requireRole(context, 'read');
  if (after !== undefined && !isId('event', after)) throw new ValidationError([{ path: 'after', text: texts.after }]);
  const address = canonicalAddress(email);
  if (!address) throw new Error('A validated address did not parse.');
  const page = await pageOfPersonEvents(context.workspaceId, address, { limit, name, after }, context.now);
  return { entries: page.events.map(eventJson), next: page.next };
}

/** An event as lists, the console and the person's own export show it. */
export const eventJson = ({ id, name, email, data, timestamp, createdAt }: PersonEvent): ListedEvent => ({
  ...{ object: 'event', id, name, email, recorded: true, reason: null, replayed: false, timestamp },
  ...{ created_at: createdAt, data },
});
