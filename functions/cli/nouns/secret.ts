import { rotateSecret } from '../../../shared/services/secret/rotate.ts';
import { action, type Noun } from '../action.ts';
import { operator } from '../context.ts';
import type { Output } from '../output.ts';

export const secretNoun: Noun = (program) => {
  const noun = program
    .command('secret')
    .description('the service secret, which links, cursors and webhook secrets hang on');
  noun
    .command('rotate')
    .description('make a new one; what was signed or sealed under any earlier one stays good')
    .action(action(rotate));
};

async function rotate(): Promise<Output> {
  const secret = await rotateSecret(operator());
  const earlier = secret.earlier_secrets;
  return {
    json: secret,
    text: [
      'A new service secret signs from now on; every function knows it within five minutes.',
      `Kept, so that links which were mailed go on working: ${earlier} earlier ${earlier === 1 ? 'secret' : 'secrets'}.`,
      'Next, so that what is stored is sealed under the new one: webhook reseal.',
    ].join('\n'),
  };
}
