import { type BulkCall, type BulkResult, sendBulk } from '../../../email/bulk.ts';
import { unlessHeld } from '../../sendingHold.ts';

/** The one way to SES for a bulk call: nothing else may import `sendBulk`. Apart, since single emails need none of it. */
export const submitBulk = (call: BulkCall, signal: AbortSignal, milliseconds: number): Promise<BulkResult> =>
  unlessHeld(milliseconds, () => sendBulk(call, signal), {
    held: { kind: 'obstacle', obstacle: { reason: 'sending_held', providerCode: null } },
    unread: { kind: 'obstacle', obstacle: { reason: 'store_slow', providerCode: null } },
  });
