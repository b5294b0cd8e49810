import type { Output, Shown } from '../../contract/route.ts';
import type { getTemplateRoute, listTemplatesRoute } from '../../contract/routes/templates.ts';
import { variablesOf } from '../../domain/template/compile.ts';
import type { Template, TemplateSource } from '../../domain/template/template.ts';

/** A template as lists show it. */
export function shownTemplate(template: Template): Shown<Output<typeof listTemplatesRoute>['data'][number]> {
  return {
    id: template.id,
    object: 'template',
    name: template.name,
    subject: template.subject,
    version: template.version,
    created_at: template.createdAt,
    updated_at: template.updatedAt,
  };
}

/** The same with what one of its versions says. */
export function shownVersion(
  template: Template,
  source: TemplateSource,
  version = template.version,
): Output<typeof getTemplateRoute> {
  return {
    ...shownTemplate(template),
    version,
    subject: source.subject,
    preheader: source.preheader,
    html: source.html,
    text: source.text,
    content: source.blocks,
    variables: variablesOf(source).map(({ key, type, fallback }) => ({ key, type, fallback_value: fallback })),
  };
}
