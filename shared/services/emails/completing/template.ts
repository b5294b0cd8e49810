import { type Issue, ValidationError } from '../../../contract/errors.ts';
import type { SendEmailRequest } from '../../../contract/schemas/email/request.ts';
import { characterCount } from '../../../domain/encoding/characterCount.ts';
import { fillTemplate } from '../../../domain/template/fill.ts';
import { type TemplateVersion, unknownTemplate } from '../../../domain/template/template.ts';
import { isId } from '../../../domain/token/identifier.ts';
import type { Text } from '../../../language/text.ts';
import { getNewestMessage } from '../../../store/template/newestMessage.ts';

/** The bounds of `POST /emails`, which hold for what a template makes as well. */
const mostCharacters = { subject: 998, html: 400_000, text: 400_000 } as const;

export type FindTemplate = (id: string) => ReturnType<typeof getNewestMessage>;

/** Finds the templates of a workspace, each by one query however often it is asked for. */
export function templatesOf(workspaceId: string): FindTemplate {
  const found = new Map<string, ReturnType<FindTemplate>>();
  return (id) => {
    const known = found.get(id) ?? getNewestMessage(workspaceId, id);
    found.set(id, known);
    return known;
  };
}

/** What a template says with these values, and which version of it said so. Throws `validation_error`. */
export async function fromTemplate(
  { id, variables = {} }: NonNullable<SendEmailRequest['template']>,
  find: FindTemplate,
): Promise<{ subject: string | null; parts: { html?: string; text?: string; template: TemplateVersion } }> {
  const found = isId('tpl', id) ? await find(id) : null;
  if (!found) throw new ValidationError([{ path: 'template.id', text: unknownTemplate }]);
  const filled = fillTemplate(found.message, variables);
  if (!filled.ok) {
    throw new ValidationError(filled.problems.map(({ key, text }) => ({ path: `template.variables.${key}`, text })));
  }
  const { subject, html, text } = filled;
  const issues = Object.entries({ subject, html, text }).flatMap(([name, value]) => tooLong(name, value));
  if (!html && !text) issues.push({ path: 'template', text: empty });
  if (issues.length > 0) throw new ValidationError(issues);
  const parts = { ...(html && { html }), ...(text && { text }), template: { id, version: found.version } };
  return { subject, parts };
}

function tooLong(name: string, value: string | null): Issue[] {
  const most = mostCharacters[name as keyof typeof mostCharacters];
  if (value === null || characterCount(value) <= most) return [];
  const text: Text = {
    en: `with these values its ${name} has more than ${most} characters`,
    fr: `avec ces valeurs, son champ ${name} compte plus de ${most} caractères`,
  };
  return [{ path: 'template', text }];
}

const empty: Text = {
  en: 'has nothing to say with these values',
  fr: 'n’a rien à dire avec ces valeurs',
};
