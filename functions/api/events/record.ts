import { recordEventRoute } from '../../../shared/contract/routes/events.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { withAddress, withoutAddress } from '../../../shared/services/personEvents/keptEvents.ts';
import { recordEvent } from '../../../shared/services/personEvents/recordEvents.ts';

export const handler = keeping(recordEventRoute, withoutAddress(recordEvent), withAddress);
