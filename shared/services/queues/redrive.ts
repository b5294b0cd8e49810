import { redriveDeadLetters } from '../../queue/deadLetters.ts';
import type { DeploymentContext } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';

/** Puts what a queue gave up back on it. `messages` is null while AWS moves them in the background. */
export async function redriveQueue(context: DeploymentContext, { name }: { readonly name: string }) {
  requireOperator(context);
  const redrive = await redriveDeadLetters(name);
  return { object: 'queue_redrive' as const, name, messages: redrive.kind === 'moved' ? redrive.messages : null };
}
