import { ServiceError } from '../../contract/errors.ts';
import { createId } from '../../domain/token/identifier.ts';
import { renewOperator } from '../../store/operator/operators.ts';
import { raiseSessionEpoch } from '../../store/operator/sessions.ts';
import type { DeploymentContext } from '../context.ts';
import { noOperator } from './changeOperator.ts';
import { operatorAddress } from './invite.ts';
import { operatorVerb } from './verb.ts';

/** Ends every session of the console, whoever holds it, from their next click on. */
export const signOutEverywhere = operatorVerb(
  { action: 'operator.sign_out', needs: 'own' },
  async (_context: DeploymentContext) => {
    await raiseSessionEpoch();
    return { object: 'sign_out' as const, ended: true };
  },
);

/** Ends the sessions of one who was invited; they may sign in again. Throws `not_found`. */
export const signOutOperator = operatorVerb(
  { action: 'operator.sign_out', needs: 'own', subject: ({ email }: { readonly email: string }) => email },
  async ({ now }: DeploymentContext, { email }: { readonly email: string }) => {
    const operator = await renewOperator(operatorAddress(email), createId('opr', now));
    if (!operator) throw new ServiceError('not_found', { text: noOperator });
    return { object: 'sign_out' as const, ended: true };
  },
);
