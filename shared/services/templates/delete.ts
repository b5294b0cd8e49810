import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { deleteTemplateRoute } from '../../contract/routes/templates.ts';
import { isId } from '../../domain/token/identifier.ts';
import { deleteTemplate as remove } from '../../store/template/templates.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';

/** Ends a template at once. Emails and campaigns that were made of it have what it said, and are not touched. */
export const deleteTemplate = operatorVerb(
  { action: 'template.delete', needs: 'change', subject: ({ id }) => id, byKeys: true },
  async (
    { workspaceId }: Context,
    { id }: Input<typeof deleteTemplateRoute>,
  ): Promise<Output<typeof deleteTemplateRoute>> => {
    if (!isId('tpl', id) || !(await remove(workspaceId, id))) throw new ServiceError('not_found');
    return { object: 'template', id, deleted: true };
  },
);
