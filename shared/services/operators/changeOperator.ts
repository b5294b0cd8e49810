import { ServiceError } from '../../contract/errors.ts';
import { text } from '../../language/text.ts';
import { changeStoredOperator } from '../../store/operator/operators.ts';
import type { DeploymentContext } from '../context.ts';
import { type Invitation, operatorAddress } from './invite.ts';
import { shownOperator } from './shown.ts';
import { operatorVerb } from './verb.ts';

export const noOperator = text({
  en: 'Nobody of this address was invited.',
  fr: 'Personne n’a été invité à cette adresse.',
});

/** Another role, or other workspaces, from the next request on. Throws `not_found`. */
export const changeOperator = operatorVerb(
  { action: 'operator.change', needs: 'own', subject: ({ email, role }: Invitation) => `${email} (${role})` },
  async (_context: DeploymentContext, { email, role, workspaceId }: Invitation) => {
    const operator = await changeStoredOperator(operatorAddress(email), { role, workspaceId });
    if (!operator) throw new ServiceError('not_found', { text: noOperator });
    return shownOperator(operator);
  },
);
