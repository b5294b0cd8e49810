import { recordEventsRoute } from '../../../shared/contract/routes/events.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { withAddresses, withoutAddresses } from '../../../shared/services/personEvents/keptEvents.ts';
import { recordEvents } from '../../../shared/services/personEvents/recordEvents.ts';

export const handler = keeping(recordEventsRoute, withoutAddresses(recordEvents), withAddresses);
