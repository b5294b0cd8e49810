import { ServiceError } from '../../contract/errors.ts';
import type { Template, TemplateSource } from '../../domain/template/template.ts';
import { isId } from '../../domain/token/identifier.ts';
import { getTemplate } from '../../store/template/templates.ts';
import { getSource } from '../../store/template/versions.ts';

/** A template of the caller's workspace with what it says; `not_found` for any other id, and for a version it never had. */
export async function findTemplate(
  workspaceId: string,
  id: string,
  version?: number,
): Promise<{ readonly template: Template; readonly source: TemplateSource }> {
  const template = isId('tpl', id) ? await getTemplate(workspaceId, id) : null;
  const source = template && (await getSource(workspaceId, id, version ?? template.version));
  if (!template || !source) throw new ServiceError('not_found');
  return { template, source };
}
