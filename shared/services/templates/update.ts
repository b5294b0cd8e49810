import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { updateTemplateRoute } from '../../contract/routes/templates.ts';
import { canonicalJson } from '../../domain/encoding/canonicalJson.ts';
import type { Template, TemplateSource } from '../../domain/template/template.ts';
import { overtaken, untilSettled } from '../../platform/contention.ts';
import { putNextVersion, renameTemplate } from '../../store/template/templates.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { findTemplate } from './find.ts';
import { shownVersion } from './shown.ts';
import { sourceOf, writtenVersion } from './written.ts';

/**
 * Changes what is given. What it says is never changed but gets a next version; another name, or the same words, make
 * none. Of two changes at once the later one is made to what the other left.
 */
export const updateTemplate = operatorVerb(
  { action: 'template.edit', needs: 'change', subject: ({ id }) => id, byKeys: true },
  async (
    { workspaceId, now }: Context,
    { id, name, ...change }: Input<typeof updateTemplateRoute>,
  ): Promise<Output<typeof updateTemplateRoute>> => {
    return untilSettled(async () => {
      const { template, source } = await findTemplate(workspaceId, id);
      const wanted = sourceOf(change, source);
      const isSame = canonicalJson(wanted) === canonicalJson(source);
      if (!isSame) return (await rewritten(template, name ?? template.name, wanted, now)) ?? overtaken;
      const renamed = name === undefined ? template : await renameTemplate(template, name, now);
      if (!renamed) throw new ServiceError('not_found');
      return shownVersion(renamed, source);
    });
  },
);

/** Null when somebody else has changed it meanwhile. */
async function rewritten(
  before: Template,
  name: string,
  source: TemplateSource,
  now: Date,
): Promise<Output<typeof updateTemplateRoute> | null> {
  const version = await writtenVersion(before.workspaceId, source);
  const { subject } = source;
  const after = { ...before, name, subject, version: before.version + 1, updatedAt: now.toISOString() };
  return (await putNextVersion(before, after, version)) ? shownVersion(after, source) : null;
}
