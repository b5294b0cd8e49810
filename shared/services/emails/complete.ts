import { ValidationError } from '../../contract/errors.ts';
import type { SendEmailRequest } from '../../contract/schemas/email/request.ts';
import type { TemplateVersion } from '../../domain/template/template.ts';
import type { Text } from '../../language/text.ts';
import type { Context } from '../context.ts';
import { type FindTemplate, fromTemplate, templatesOf } from './fromTemplate.ts';

/** What is to be sent, with nothing left to be looked up. */
export interface WholeEmail extends Omit<SendEmailRequest, 'subject' | 'template'> {
  readonly subject: string;
  /** What it was made of. */
  readonly template?: TemplateVersion;
}

/**
 * A request made whole before it is read: what it names is put in its place. One that names nothing is handed back as it
 * is, without a call of anything. Throws `validation_error`.
 */
export function completed(
  { workspaceId }: Context,
  body: SendEmailRequest,
  templates: FindTemplate = templatesOf(workspaceId),
): WholeEmail | Promise<WholeEmail> {
  return isWhole(body) ? body : complete(body, templates);
}

const isWhole = (body: SendEmailRequest): body is SendEmailRequest & { subject: string; template?: undefined } =>
  body.template === undefined && body.subject !== undefined;

async function complete({ template, ...body }: SendEmailRequest, templates: FindTemplate): Promise<WholeEmail> {
  const made = template ? await fromTemplate(template, templates) : { subject: null, parts: {} };
  const subject = body.subject ?? made.subject;
  if (!subject) throw new ValidationError([{ path: 'subject', text: noSubject }]);
  return { ...body, ...made.parts, subject };
}

const noSubject: Text = {
  en: 'is required: the template has none, or an empty one with these values',
  fr: 'est obligatoire : le modèle n’en a pas, ou un vide avec ces valeurs',
};
