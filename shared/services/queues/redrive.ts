import { ServiceError } from '../../contract/errors.ts';
import { text } from '../../language/text.ts';
import { redriveDeadLetters } from '../../queue/dead/deadLetters.ts';
import { noteRedriven } from '../../store/campaign/heard.ts';
import type { DeploymentContext } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';

const isMoving = text({
  en: 'They are being put back already. Wait until that has come to its end.',
  fr: 'Ils sont déjà en train d’être remis. Attendez que ce soit terminé.',
});

/**
 * Puts what a queue gave up back on it. `messages` is null while AWS moves them in the background. Throws `conflict` when
 * it does so already.
 */
export const redriveQueue = operatorVerb(
  { action: 'queue.redrive', needs: 'change', subject: ({ name }) => name },
  async ({ now }: DeploymentContext, { name }: { readonly name: string }) => {
    // On its way from one queue to the other an event may be counted in neither; who waits for it must not think it lost.
    if (name === 'campaign-feedback') await noteRedriven(now);
    const redrive = await redriveDeadLetters(name);
    if (redrive.kind === 'running') throw new ServiceError('conflict', { text: isMoving });
    return { object: 'queue_redrive' as const, name, messages: redrive.kind === 'moved' ? redrive.messages : null };
  },
);
