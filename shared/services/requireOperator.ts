import { ServiceError } from '../contract/errors.ts';
import type { Actor } from './context.ts';

/** Throws for everybody else: no key, link or worker may do what is the operator's. */
export function requireOperator({ actor }: { readonly actor: Actor }): void {
  if (actor.kind === 'operator') return;
  throw new ServiceError('insufficient_scope', {
    text: { en: 'Only the operator may do this.', fr: 'Seul l’exploitant peut faire cela.' },
  });
}
