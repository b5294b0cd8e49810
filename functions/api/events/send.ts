import { sendEventRoute } from '../../../shared/contract/routes/events.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { withAddress, withoutAddress } from '../../../shared/services/personEvents/keptEvents.ts';
import { sendEvent } from '../../../shared/services/personEvents/recordEvents.ts';

export const handler = keeping(sendEventRoute, withoutAddress(sendEvent), withAddress);
