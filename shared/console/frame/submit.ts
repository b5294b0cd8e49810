import type * as z from 'zod';
import { type ErrorCode, type Issue, ServiceError, ValidationError } from '../../contract/errors.ts';
import { issuesOf } from '../../contract/issues.ts';
import { parseWithLoopback } from '../../contract/loopback.ts';
import { config } from '../../platform/config.ts';
import type { ConsoleCall, ConsoleReply } from '../call.ts';
import type { Filled } from './form.ts';

/** What the contract makes of a form's values; throws `validation_error` with everything that is wrong with them. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = parseWithLoopback(config('ALLOW_LOOPBACK'), () => schema.safeParse(value, { reportInput: true }));
  if (result.success) return result.data;
  throw new ValidationError(issuesOf(result.error));
}

/** Acts, or shows the form again as it was filled in, with what is wrong beside it. */
export async function submitted(
  call: ConsoleCall,
  act: () => Promise<ConsoleReply>,
  show: (filled: Filled) => ConsoleReply | Promise<ConsoleReply>,
): Promise<ConsoleReply> {
  try {
    return await act();
  } catch (error) {
    const issues = issuesIn(error);
    if (issues) return show({ values: call.form, issues });
    throw error;
  }
}

/** What another entry in the same form may mend; anything else has a page of its own. */
const ofWhatWasWritten: readonly ErrorCode[] = ['conflict', 'suppressed_recipient', 'unverified_from_domain'];

function issuesIn(error: unknown): readonly Issue[] | null {
  if (error instanceof ValidationError) return error.issues;
  if (error instanceof ServiceError && ofWhatWasWritten.includes(error.code)) return [{ path: '', text: error.text }];
  return null;
}
