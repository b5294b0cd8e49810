import { raiseSessionEpoch } from '../../store/operator/sessions.ts';
import type { DeploymentContext } from '../context.ts';
import { operatorVerb } from './verb.ts';

/** Ends every session of the console, whoever holds it, from their next click on. */
export const signOutEverywhere = operatorVerb(
  { action: 'operator.sign_out', needs: 'own' },
  async (_context: DeploymentContext) => {
    await raiseSessionEpoch();
    return { object: 'sign_out' as const, ended: true };
  },
);
