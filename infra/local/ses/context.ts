import type { ClockCall, ClockReply } from '../clock/clockRoute.ts';
import type { SesDatabase } from './database.ts';
import type { Publisher } from './events/publisher.ts';
import type { FaultControl } from './faults.ts';
import type { SendLimits } from './sendLimits.ts';

/** The state that all operations share. */
export interface SesContext {
  readonly database: SesDatabase;
  readonly faults: FaultControl;
  readonly limits: SendLimits;
  readonly publisher: Publisher;
  /** Base of this server's addresses. */
  readonly endpoint: string;
  readonly now: () => number;
  readonly clock: ((call: ClockCall) => Promise<ClockReply>) | undefined;
}
