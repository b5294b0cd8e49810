import { pathOf, ServiceError, ValidationError } from '../contract/errors.ts';
import { notFound } from '../contract/notFound.ts';
import type { DeepReadonly, Input, Output, Result } from '../contract/route.ts';
import type {
  createTemplateRoute,
  deleteTemplateRoute,
  getTemplateRoute,
  listTemplatesRoute,
  updateTemplateRoute,
} from '../contract/routes/templates.ts';
import type { TemplateChange } from '../contract/schemas/template.ts';
import { canonicalJson } from '../domain/encoding.ts';
import { createId, isId } from '../domain/identifier.ts';
import { compileTemplate, variablesOf } from '../domain/template/compile.ts';
import type { Template, TemplateSource } from '../domain/template/template.ts';
import type { Workspace } from '../domain/workspace/workspace.ts';
import type { Text } from '../language/text.ts';
import { overtaken, untilSettled } from '../platform/deadline.ts';
import {
  addTemplate,
  getSource,
  getTemplate as loadTemplate,
  listTemplates as loadTemplates,
  type PackedVersion,
  packVersion,
  putMessage,
  putNextVersion,
  deleteTemplate as removeTemplate,
  renameTemplate,
} from '../store/templates.ts';
import { getWorkspace } from '../store/workspace/workspaces.ts';
import type { Context } from './context.ts';
import { operatorVerb } from './operatorVerb.ts';

const maxTemplates = 1000;

/** Creates a template in its first version. Content that no send could accept is refused here, with every problem. */
export const createTemplate = /* @__PURE__ */ operatorVerb(
  { action: 'template.create', needs: 'change', subject: ({ name }) => name, byKeys: 'unaudited' },
  async (
    { workspaceId, now }: Context,
    { name, ...input }: Input<typeof createTemplateRoute>,
  ): Promise<Output<typeof createTemplateRoute>> => {
    const source = changedSource(emptySource, input);
    const version = await compiledVersion(workspaceId, source);
    const at = now.toISOString();
    const { subject } = source;
    const template = { workspaceId, id: createId('tpl', now), name, subject, version: 1, createdAt: at, updatedAt: at };
    if (await addTemplate(template, version, maxTemplates)) return templateDetail(template, source);
    throw new ValidationError([{ path: '', text: tooMany }]);
  },
);

const tooMany: Text = {
  en: `a workspace has at most ${maxTemplates} templates: delete one first`,
  fr: `un espace compte au plus ${maxTemplates} modèles : supprimez-en un d’abord`,
};

/** A template in its newest version, or in the requested one. */
export async function getTemplate(
  { workspaceId }: Context,
  { id, version }: Input<typeof getTemplateRoute>,
): Promise<Output<typeof getTemplateRoute>> {
  const { template, source } = await findTemplate(workspaceId, id, version);
  return templateDetail(template, source, version);
}

/** Newest first, without their content. */
export async function listTemplates(
  { workspaceId }: Context,
  { limit, after }: Input<typeof listTemplatesRoute>,
): Promise<Result<typeof listTemplatesRoute>> {
  const { entries, next } = await loadTemplates(workspaceId, { limit, after });
  return { entries: entries.map(templateSummary), next };
}

/**
 * Changes the given fields. New content becomes the next version, as versions never change; a new name alone, or the
 * same content again, creates none. Of two concurrent changes the later one applies to the result of the earlier.
 */
export const updateTemplate = /* @__PURE__ */ operatorVerb(
  { action: 'template.edit', needs: 'change', subject: ({ id }) => id, byKeys: 'unaudited' },
  async (
    { workspaceId, now }: Context,
    { id, name, ...change }: Input<typeof updateTemplateRoute>,
  ): Promise<Output<typeof updateTemplateRoute>> =>
    untilSettled(async () => {
      const { template, source } = await findTemplate(workspaceId, id);
      const changed = changedSource(source, change);
      if (canonicalJson(changed) !== canonicalJson(source)) {
        return (await addVersion(template, name ?? template.name, changed, now)) ?? overtaken;
      }
      const renamed = name === undefined ? template : await renameTemplate(template, name, now);
      if (!renamed) throw notFound('template');
      return templateDetail(renamed, source);
    }),
);

/** Null after a concurrent change. */
async function addVersion(
  before: Template,
  name: string,
  source: TemplateSource,
  now: Date,
): Promise<Output<typeof updateTemplateRoute> | null> {
  const version = await compiledVersion(before.workspaceId, source);
  const { subject } = source;
  const after = { ...before, name, subject, version: before.version + 1, updatedAt: now.toISOString() };
  return (await putNextVersion(before, after, version)) ? templateDetail(after, source) : null;
}

/** Takes effect at once. Emails and campaigns made from the template keep their own copy of its content. */
export const deleteTemplate = /* @__PURE__ */ operatorVerb(
  { action: 'template.delete', needs: 'change', subject: ({ id }) => id, byKeys: 'unaudited' },
  async (
    { workspaceId }: Context,
    { id }: Input<typeof deleteTemplateRoute>,
  ): Promise<Output<typeof deleteTemplateRoute>> => {
    if (!isId('tpl', id) || !(await removeTemplate(workspaceId, id))) throw notFound('template');
    return { object: 'template', id, deleted: true };
  },
);

/** Throws `not_found` for an id of another workspace and for a version that does not exist. */
export async function findTemplate(
  workspaceId: string,
  id: string,
  version?: number,
): Promise<{ readonly template: Template; readonly source: TemplateSource }> {
  const template = isId('tpl', id) ? await loadTemplate(workspaceId, id) : null;
  const source = template && (await getSource(workspaceId, id, version ?? template.version));
  if (!template || !source) throw notFound('template');
  return { template, source };
}

const emptySource: TemplateSource = {
  subject: null,
  preheader: null,
  html: null,
  text: null,
  blocks: null,
  variables: [],
};

/** A template has either HTML and text or blocks: a change to one kind removes the other. */
function changedSource(before: TemplateSource, change: TemplateChange): TemplateSource {
  const hasHtmlOrText = change.html !== undefined || change.text !== undefined;
  const hasBlocks = change.content !== undefined;
  return {
    subject: change.subject ?? before.subject,
    preheader: change.preheader ?? (hasHtmlOrText ? null : before.preheader),
    html: change.html ?? (hasBlocks ? null : before.html),
    text: change.text ?? (hasBlocks ? null : before.text),
    blocks: change.content ?? (hasHtmlOrText ? null : before.blocks),
    variables:
      change.variables?.map(({ key, type, fallback_value }) => ({ key, type, fallback: fallback_value ?? null })) ??
      before.variables,
  };
}

/** Compiled and packed for storage. Throws `validation_error` with every problem. */
async function compiledVersion(workspaceId: string, source: TemplateSource): Promise<PackedVersion> {
  const workspace = await getWorkspace(workspaceId);
  if (!workspace) throw new ServiceError('internal_error');
  const compiled = compileTemplate(source, frameOf(workspace));
  if (!compiled.ok) {
    throw new ValidationError(compiled.problems.map(({ path, text }) => ({ path: pathOf(path), text })));
  }
  const packed = await packVersion(source, compiled.message);
  if (packed) return packed;
  throw new ValidationError([{ path: source.blocks === null ? 'html' : 'content', text: tooLarge }]);
}

/** The look of a template made of blocks is that of its workspace when it is written, and when its brand changes. */
const frameOf = ({ name, language, mailBrand }: Workspace) => ({ workspaceName: name, language, brand: mailBrand });

/** How many templates are rendered at the same time. */
const renderedAtOnce = 8;

/**
 * Renders the newest version of every template again, after a change of the brand, so that a send reads nothing besides
 * the message of its template. Idempotent; what a crash leaves out keeps its look until the brand is saved again.
 */
export async function renderTemplatesAgain(workspace: Workspace): Promise<void> {
  for (let after: string | undefined; ; ) {
    const { entries, next } = await loadTemplates(workspace.id, { limit: renderedAtOnce, after });
    await Promise.all(
      entries.map(async (template) => {
        const source = await getSource(workspace.id, template.id, template.version);
        if (!source?.blocks) return;
        const compiled = compileTemplate(source, frameOf(workspace));
        if (compiled.ok) await putMessage(template, source, compiled.message);
      }),
    );
    if (next === null) return;
    after = next;
  }
}

const tooLarge: Text = {
  en: 'is too large: compressed, a template must stay below 380 kB; leave images where they are and link to them',
  fr: 'est trop volumineux : compressé, un modèle doit rester sous 380 ko ; laissez les images où elles sont et donnez leur adresse',
};

function templateSummary(template: Template): DeepReadonly<Output<typeof listTemplatesRoute>['data'][number]> {
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

function templateDetail(
  template: Template,
  source: TemplateSource,
  version = template.version,
): Output<typeof getTemplateRoute> {
  return {
    ...templateSummary(template),
    version,
    subject: source.subject,
    preheader: source.preheader,
    html: source.html,
    text: source.text,
    content: source.blocks,
    variables: variablesOf(source).map(({ key, type, fallback }) => ({ key, type, fallback_value: fallback })),
  };
}
