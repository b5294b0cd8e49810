import type { SesDatabase } from './database.ts';
import type { Publisher } from './events/publisher.ts';
import type { FaultControl } from './faults.ts';
import type { SendLimits } from './limits/sendLimits.ts';

/** What every operation works with. */
export interface SesContext {
  readonly database: SesDatabase;
  readonly faults: FaultControl;
  readonly limits: SendLimits;
  readonly publisher: Publisher;
  /** Base of this server's own addresses, known once it listens. */
  readonly endpoint: string;
  readonly now: () => number;
}
