import { ValidationError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { createTemplateRoute } from '../../contract/routes/templates.ts';
import { createId } from '../../domain/token/identifier.ts';
import type { Text } from '../../language/text.ts';
import { addTemplate } from '../../store/template/templates.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { shownVersion } from './shown.ts';
import { sourceOf, writtenVersion } from './written.ts';

const maxTemplates = 1000;

/** A new template in its first version. What no send could ever let pass is refused while its author is still there. */
export const createTemplate = operatorVerb(
  { action: 'template.create', needs: 'change', subject: ({ name }) => name, byKeys: true },
  async (
    { workspaceId, now }: Context,
    { name, ...input }: Input<typeof createTemplateRoute>,
  ): Promise<Output<typeof createTemplateRoute>> => {
    const source = sourceOf(input);
    const version = await writtenVersion(workspaceId, source);
    const at = now.toISOString();
    const { subject } = source;
    const template = { workspaceId, id: createId('tpl', now), name, subject, version: 1, createdAt: at, updatedAt: at };
    if (await addTemplate(template, version, maxTemplates)) return shownVersion(template, source);
    throw new ValidationError([{ path: '', text: tooMany }]);
  },
);

const tooMany: Text = {
  en: `a workspace has at most ${maxTemplates} templates: delete one first`,
  fr: `un espace compte au plus ${maxTemplates} modèles : supprimez-en un d’abord`,
};
