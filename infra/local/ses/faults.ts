import * as z from 'zod';
import { SesError, sesErrorNames } from './errors.ts';

const next = z.int().positive().optional();
/** Calls that pass before the fault applies. */
const skip = z.int().nonnegative().optional();
interface Counted {
  readonly next?: number | undefined;
  readonly skip?: number | undefined;
}
const counted = z
  .union([z.boolean(), z.strictObject({ next, skip })])
  .nullish()
  .transform((value): Counted | null => (value === true ? {} : value || null));
const namedError = z.strictObject({ name: z.enum(sesErrorNames), message: z.string().optional(), next, skip });
/** Of SendBulkEmail's answer (API reference, BulkEmailEntryResult); `SUCCESS` lets an entry through. */
const bulkEntryStatuses = [
  'SUCCESS',
  'MESSAGE_REJECTED',
  'MAIL_FROM_DOMAIN_NOT_VERIFIED',
  'CONFIGURATION_SET_NOT_FOUND',
  'TEMPLATE_NOT_FOUND',
  'ACCOUNT_SUSPENDED',
  'ACCOUNT_THROTTLED',
  'ACCOUNT_DAILY_QUOTA_EXCEEDED',
  'INVALID_SENDING_POOL_NAME',
  'ACCOUNT_SENDING_PAUSED',
  'CONFIGURATION_SET_SENDING_PAUSED',
  'INVALID_PARAMETER',
  'TRANSIENT_FAILURE',
  'FAILED',
] as const;
type BulkEntryStatus = (typeof bulkEntryStatuses)[number];

const faultsSchema = z.strictObject({
  /** Added to every call. */
  latency_ms: z.number().min(0).default(0),
  /** Recipients a second; more is refused with TooManyRequestsException. Null: no limit. */
  rate_per_second: z.number().positive().nullable().default(null),
  /** Recipients in any 24 hours. Null: no limit. */
  max_24_hour_send: z.number().min(0).nullable().default(null),
  /** Share of calls, 0 to 1, that fail with InternalServiceErrorException and have no effect. */
  error_rate: z.number().min(0).max(1).default(0),
  /** Fails calls with this error; they have no effect. */
  error: z
    .union([z.enum(sesErrorNames).transform((name) => ({ name }) as z.infer<typeof namedError>), namedError])
    .nullable()
    .default(null),
  /** Fails single entries of SendBulkEmail, the call itself succeeds. Several statuses apply to one entry after the other. */
  bulk_entry_error: z
    .strictObject({
      status: z.union([z.enum(bulkEntryStatuses), z.array(z.enum(bulkEntryStatuses)).min(1)]),
      next,
      skip,
    })
    .nullable()
    .default(null),
  /** Reads the call, has no effect, never answers. */
  hang: counted,
  /** Accepts the message, then closes the connection instead of answering. */
  drop_after_accept: counted,
  /** Accepts the message, then answers this instead of success; without `error` the answer names no error. */
  answer_after_accept: z
    .strictObject({
      status: z.int().min(200).max(599),
      error: z.string().optional(),
      body: z.string().default(''),
      next,
      skip,
    })
    .nullable()
    .default(null),
  /** The operations to which `error_rate`, `error`, `hang` and the faults `…_after_accept` apply. */
  operations: z.array(z.string()).default(['SendEmail', 'SendBulkEmail']),
  sending_paused: z.boolean().default(false),
  /** GetAccount reports a sandbox; recipients are not restricted. */
  sandbox: z.boolean().default(false),
  /** New identities stay PENDING until the control endpoint decides. */
  hold_verification: z.boolean().default(false),
  event_delay_ms: z.number().min(0).default(200),
  duplicate_events: z.boolean().default(false),
  shuffle_events: z.boolean().default(false),
  /** Short for `next` of each counted fault in the same body: the fault ends after that many calls. */
  next,
});

export type SesFaults = z.input<typeof faultsSchema>;
type FaultState = Omit<z.output<typeof faultsSchema>, 'next'>;
/** An answer that is sent instead of success. */
export interface FalseAnswer {
  readonly status: number;
  readonly error?: string | undefined;
  readonly body: string;
}

type Interference = 'none' | 'hang' | 'drop_after_accept' | FalseAnswer | SesError;

export interface FaultControl {
  readonly state: FaultState;
  /** Replaces all faults; a missing one returns to its value at the start. Throws a ZodError. */
  replace(faults: unknown): FaultState;
  /** The fault of this call; counts it against `next`. */
  interfere(operation: string): Interference;
  /** The faulty status of this entry of a bulk send, or null; counts it. */
  interfereWithEntry(): BulkEntryStatus | null;
}

export function createFaultControl(initial: Partial<SesFaults>): FaultControl {
  let state = read(initial);
  /** Entries that a fault applied to since the faults were set. */
  let entries = 0;
  /** True when the fault applies; counts the call and ends the fault after the last one. */
  const strike = (name: 'error' | 'hang' | 'drop_after_accept' | 'answer_after_accept' | 'bulk_entry_error') => {
    const fault: Counted | null = state[name];
    if (!fault) return false;
    if (fault.skip) {
      state = { ...state, [name]: { ...fault, skip: fault.skip - 1 } };
      return false;
    }
    if (fault.next !== undefined) {
      state = { ...state, [name]: fault.next > 1 ? { ...fault, next: fault.next - 1 } : null };
    }
    return true;
  };
  return {
    get state() {
      return state;
    },
    replace: (faults) => {
      state = read({ ...initial, ...z.record(z.string(), z.unknown()).parse(faults) });
      entries = 0;
      return state;
    },
    interfere: (operation) => {
      if (!state.operations.includes(operation)) return 'none';
      const { error, answer_after_accept } = state;
      if (strike('hang')) return 'hang';
      if (error && strike('error')) return new SesError(error.name, error.message ?? 'Fault set on the local SES.');
      if (Math.random() < state.error_rate) {
        return new SesError('InternalServiceErrorException', 'Fault set on the local SES.');
      }
      if (answer_after_accept && strike('answer_after_accept')) return answer_after_accept;
      return strike('drop_after_accept') ? 'drop_after_accept' : 'none';
    },
    interfereWithEntry: () => {
      const given = state.bulk_entry_error?.status;
      if (given === undefined || !strike('bulk_entry_error')) return null;
      const statuses = [given].flat();
      const status = statuses[entries % statuses.length] ?? 'SUCCESS';
      entries += 1;
      return status === 'SUCCESS' ? null : status;
    },
  };
}

function read(faults: unknown): FaultState {
  const { next: calls, ...state } = faultsSchema.parse(faults);
  if (calls === undefined) return state;
  const limited = <Fault extends { next?: number | undefined }>(fault: Fault | null) =>
    fault && { ...fault, next: fault.next ?? calls };
  return {
    ...state,
    error: limited(state.error),
    bulk_entry_error: limited(state.bulk_entry_error),
    hang: limited(state.hang),
    drop_after_accept: limited(state.drop_after_accept),
    answer_after_accept: limited(state.answer_after_accept),
  };
}
