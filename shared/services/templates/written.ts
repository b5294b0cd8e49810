import { ServiceError, ValidationError } from '../../contract/errors.ts';
import { pathOf } from '../../contract/issues.ts';
import type { TemplateChange } from '../../contract/schemas/template.ts';
import { compileTemplate } from '../../domain/template/compile.ts';
import type { TemplateSource } from '../../domain/template/template.ts';
import type { Text } from '../../language/text.ts';
import { type PackedVersion, packVersion } from '../../store/template/versions.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';

const nothing: TemplateSource = { subject: null, preheader: null, html: null, text: null, blocks: null, variables: [] };

/** What a template says after a change: the body in one way takes the place of the body in the other. */
export function sourceOf(change: TemplateChange, before: TemplateSource = nothing): TemplateSource {
  const isWritten = change.html !== undefined || change.text !== undefined;
  const hasBlocks = change.content !== undefined;
  return {
    subject: change.subject ?? before.subject,
    preheader: change.preheader ?? (isWritten ? null : before.preheader),
    html: change.html ?? (hasBlocks ? null : before.html),
    text: change.text ?? (hasBlocks ? null : before.text),
    blocks: change.content ?? (isWritten ? null : before.blocks),
    variables:
      change.variables?.map(({ key, type, fallback_value }) => ({ key, type, fallback: fallback_value ?? null })) ??
      before.variables,
  };
}

/** Rendered and ready to be kept. Throws `validation_error` with all that is wrong with it. */
export async function writtenVersion(workspaceId: string, source: TemplateSource): Promise<PackedVersion> {
  const workspace = await getWorkspace(workspaceId);
  if (!workspace) throw new ServiceError('internal_error');
  const compiled = compileTemplate(source, { workspaceName: workspace.name, language: workspace.language });
  if (!compiled.ok) {
    throw new ValidationError(compiled.problems.map(({ path, text }) => ({ path: pathOf(path), text })));
  }
  const packed = await packVersion(source, compiled.message);
  if (packed) return packed;
  throw new ValidationError([{ path: source.blocks === null ? 'html' : 'content', text: tooLarge }]);
}

const tooLarge: Text = {
  en: 'is too large: compressed, a template must stay below 380 kB; leave images where they are and link to them',
  fr: 'est trop volumineux : compressé, un modèle doit rester sous 380 ko ; laissez les images où elles sont et donnez leur adresse',
};
