import { ServiceError } from '../../contract/errors.ts';
import { deleteUser, keepsUsers } from '../../identity/users.ts';
import { removeStoredOperator } from '../../store/operator/operators.ts';
import type { DeploymentContext } from '../context.ts';
import { noOperator } from './changeOperator.ts';
import { operatorAddress } from './invite.ts';
import { shownOperator } from './shown.ts';
import { operatorVerb } from './verb.ts';

/**
 * Shuts somebody out, from their next request on, and deletes the account that the deployment keeps for them; one that a
 * crash left goes when they are removed again. Throws `not_found`.
 */
export const removeOperator = operatorVerb(
  { action: 'operator.remove', needs: 'own', subject: ({ email }: { readonly email: string }) => email },
  async (_context: DeploymentContext, { email }: { readonly email: string }) => {
    const address = operatorAddress(email);
    const operator = await removeStoredOperator(address);
    if (keepsUsers()) await deleteUser(operator ?? { email: address, identity: null });
    if (!operator) throw new ServiceError('not_found', { text: noOperator });
    return shownOperator(operator);
  },
);
