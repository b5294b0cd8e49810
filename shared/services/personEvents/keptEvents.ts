import type { Output } from '../../contract/route.ts';
import type { recordEventRoute, recordEventsRoute, sendEventRoute } from '../../contract/routes/events.ts';
import { canonicalAddress } from '../../domain/address.ts';
import type { Context } from '../context.ts';

/*
 * Answers that are kept under an Idempotency-Key: without the address, which a repeated call brings with it.
 */

type Answer = Output<typeof recordEventRoute> | Output<typeof sendEventRoute>;
interface Given {
  readonly email?: string | undefined;
  readonly contact_id?: string | undefined;
}

const addressOf = ({ email, contact_id }: Given): string => canonicalAddress(email ?? contact_id ?? '') ?? '';

/** What a verb answers, without the address. */
export const withoutAddress =
  <Who extends Context, Asked extends Given, Answered extends Answer>(
    verb: (context: Who, input: Asked) => Promise<Answered>,
  ) =>
  async (context: Who, input: Asked): Promise<Answered> => ({ ...(await verb(context, input)), email: '' });

export const withAddress = async <Answered extends Answer>(
  _context: unknown,
  kept: Answered,
  given: Given,
): Promise<Answered> => ({ ...kept, email: addressOf(given) });

type BatchAnswer = Output<typeof recordEventsRoute>;
interface GivenBatch {
  readonly entries: readonly ({ readonly value: Given } | { readonly issues: readonly unknown[] })[];
}

export const withoutAddresses =
  <Who extends Context, Asked>(verb: (context: Who, input: Asked) => Promise<BatchAnswer>) =>
  async (context: Who, input: Asked): Promise<BatchAnswer> => {
    const { data, ...answer } = await verb(context, input);
    return { ...answer, data: data.map((event) => ({ ...event, email: '' })) };
  };

export const withAddresses = async (
  _context: unknown,
  { data, ...answer }: BatchAnswer,
  { entries }: GivenBatch,
): Promise<BatchAnswer> => ({
  ...answer,
  data: data.map((event, index) => {
    const entry = entries[index];
    return { ...event, email: addressOf(entry && 'value' in entry ? entry.value : {}) };
  }),
});
