import { type Issue, ServiceError, ValidationError } from '../../contract/errors.ts';
import type { CreateCampaignRequest } from '../../contract/schemas/campaign/create.ts';
import type { Block } from '../../domain/campaign/content/block.ts';
import { readMergeFields } from '../../domain/campaign/content/mergeField.ts';
import { readContent } from '../../domain/campaign/content/readContent.ts';
import { withFallbacks } from '../../domain/template/fallbacks.ts';
import { type TemplateVersion, unknownTemplate } from '../../domain/template/template.ts';
import type { Text } from '../../language/text.ts';
import { findTemplate } from '../templates/find.ts';

/** A request with a subject, and a body of its own. */
export type WrittenCampaign = Omit<CreateCampaignRequest, 'subject' | 'template' | 'content'> & {
  readonly subject: string;
  readonly content?: readonly Block[] | undefined;
  readonly template: TemplateVersion | null;
};

/**
 * Begins a campaign with a copy of what a template says; what the request gives itself stands. What a campaign knows of
 * nobody is refused by name. Throws `validation_error`.
 */
export async function writtenCampaign(workspaceId: string, input: CreateCampaignRequest): Promise<WrittenCampaign> {
  const { template, ...own } = input;
  if (!template) return { ...own, subject: own.subject ?? '', template: null };
  const found = await findTemplate(workspaceId, template.id).catch(unknownAsIssue);
  const { blocks, variables } = found.source;
  if (blocks === null) throw refused('template.id', noBlocks);
  const copy = {
    ...own,
    subject: own.subject ?? withFallbacks(found.source.subject ?? '', variables),
    preheader: own.preheader ?? withFallbacks(found.source.preheader, variables) ?? undefined,
    content: withFallbacks(blocks, variables),
  };
  if (copy.subject === '') throw refused('subject', noSubject);
  const lines = [copy.subject, copy.preheader ?? ''].flatMap((line) => readMergeFields(line).problems);
  const problems = [...lines, ...readContent(copy.content).problems];
  if (problems.length > 0) {
    throw new ValidationError(problems.map(({ text }): Issue => ({ path: 'template.id', text })));
  }
  return { ...copy, template: { id: found.template.id, version: found.template.version } };
}

function unknownAsIssue(error: unknown): never {
  throw error instanceof ServiceError && error.code === 'not_found' ? refused('template.id', unknownTemplate) : error;
}

const refused = (path: string, text: Text) => new ValidationError([{ path, text }]);

const noBlocks: Text = {
  en: 'is written as HTML or text: a campaign needs a template with "content"',
  fr: 'est écrit en HTML ou en texte : une campagne demande un modèle avec « content »',
};
const noSubject: Text = {
  en: 'is required: the template has none',
  fr: 'est obligatoire : le modèle n’en a pas',
};
