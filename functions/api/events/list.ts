import { listEventsRoute } from '../../../shared/contract/routes/events.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listEvents } from '../../../shared/services/personEvents/listEvents.ts';

export const handler = paged(listEventsRoute, listEvents);
