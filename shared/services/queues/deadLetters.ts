import { peekDeadLetters } from '../../queue/dead/deadLetters.ts';
import type { DeploymentContext } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';

export interface DeadLettersInput {
  readonly name: string;
  readonly limit: number;
  /** Bodies hold people's addresses, so they are shown only when asked for. */
  readonly withBodies: boolean;
}

/** What a queue gave up, without taking it away. */
export async function listDeadLetters(context: DeploymentContext, { name, limit, withBodies }: DeadLettersInput) {
  requireOperator(context, 'read');
  const letters = await peekDeadLetters(name, limit);
  return letters.map(({ id, sentAt, receives, body }) => ({
    object: 'dead_letter' as const,
    id,
    sent_at: sentAt.toISOString(),
    receives,
    bytes: Buffer.byteLength(body),
    ...(withBodies && { body }),
  }));
}
