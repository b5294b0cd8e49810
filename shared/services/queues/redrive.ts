import { redriveDeadLetters } from '../../queue/deadLetters.ts';
import type { DeploymentContext } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';

/** Puts what a queue gave up back on it. `messages` is null while AWS moves them in the background. */
export const redriveQueue = operatorVerb(
  { action: 'queue.redrive', needs: 'own', subject: ({ name }) => name },
  async (_context: DeploymentContext, { name }: { readonly name: string }) => {
    const redrive = await redriveDeadLetters(name);
    return { object: 'queue_redrive' as const, name, messages: redrive.kind === 'moved' ? redrive.messages : null };
  },
);
