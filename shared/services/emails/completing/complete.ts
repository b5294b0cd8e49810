import { ValidationError } from '../../../contract/errors.ts';
import type { SendEmailRequest } from '../../../contract/schemas/email/request.ts';
import type { Text } from '../../../language/text.ts';
import { type FindTemplate, fromTemplate } from './template.ts';
import type { FetchUploads } from './uploads.ts';
import type { WholeEmail } from './wholeEmail.ts';

/** Where what a request names is found. */
interface Lookups {
  readonly templates: FindTemplate;
  readonly uploads: FetchUploads;
}

/**
 * A request made whole before it is read: what it names is put in its place. One that names nothing is handed back as it
 * is, without a call of anything. Throws `validation_error`.
 */
export function completed(body: SendEmailRequest, lookups: Lookups): WholeEmail | Promise<WholeEmail> {
  return isWhole(body) ? body : complete(body, lookups);
}

const isWhole = (body: SendEmailRequest): body is SendEmailRequest & WholeEmail =>
  body.template === undefined && body.subject !== undefined && !hasUploads(body);

const hasUploads = ({ attachments }: SendEmailRequest): boolean =>
  attachments?.some(({ upload_id }) => upload_id !== undefined) ?? false;

async function complete(request: SendEmailRequest, { templates, uploads }: Lookups): Promise<WholeEmail> {
  const { template, attachments, ...body } = request;
  const made = template ? await fromTemplate(template, templates) : { subject: null, parts: {} };
  const subject = body.subject ?? made.subject;
  if (!subject) throw new ValidationError([{ path: 'subject', text: noSubject }]);
  const files = hasUploads(request) ? await uploads(attachments ?? []) : (attachments as WholeEmail['attachments']);
  return { ...body, ...made.parts, subject, attachments: files };
}

const noSubject: Text = {
  en: 'is required: the template has none, or an empty one with these values',
  fr: 'est obligatoire : le modèle n’en a pas, ou un vide avec ces valeurs',
};
