import { type Issue, ValidationError } from '../../../contract/errors.ts';
import type { SendEmailRequest } from '../../../contract/schemas/emailRequest.ts';
import { characterCount } from '../../../domain/encoding.ts';
import { isId, timeOfId } from '../../../domain/identifier.ts';
import { maxMessageBytes, type Upload, uploadEnd } from '../../../domain/message/attachment.ts';
import { fillTemplate, type TemplateVersion, unknownTemplate } from '../../../domain/template/template.ts';
import { type Text, textsOf } from '../../../language/text.ts';
import { bytesIn, type Chunks } from '../../../platform/memory.ts';
import { getChunks, uploadKey } from '../../../store/files/bucket.ts';
import { findUploads } from '../../../store/files/uploads.ts';
import { getNewestMessage } from '../../../store/templates.ts';
import { checkMessageSize, encodedFiles } from '../checks.ts';

/** A file of a message: in base64, or the bytes of an upload. */
export interface AttachedFile {
  readonly filename: string;
  readonly content: string | Chunks;
  /** The size of an upload, until its bytes are fetched. */
  readonly announced?: number;
  readonly content_type?: string | undefined;
  readonly content_id?: string | undefined;
}

/** A request with its template filled in and its uploads fetched. */
export interface CompleteEmail extends Omit<SendEmailRequest, 'subject' | 'template' | 'attachments'> {
  readonly subject: string;
  /** The version of the template that it was made from. */
  readonly template?: TemplateVersion;
  readonly attachments?: readonly AttachedFile[] | undefined;
}

interface Lookups {
  readonly templates: FindTemplate;
  readonly uploads: FetchUploads;
}

/**
 * Fills in the template of a request and fetches its uploads. A request with neither is returned unchanged, without any
 * call. Throws `validation_error`.
 */
export function completeEmail(request: SendEmailRequest, lookups: Lookups): CompleteEmail | Promise<CompleteEmail> {
  return isComplete(request) ? request : complete(request, lookups);
}

/** True for a request without a template and without uploads. */
export const isComplete = (request: SendEmailRequest): request is SendEmailRequest & CompleteEmail =>
  request.template === undefined && request.subject !== undefined && !hasUploads(request);

const hasUploads = ({ attachments }: SendEmailRequest): boolean =>
  attachments?.some(({ upload_id }) => upload_id !== undefined) ?? false;

async function complete(request: SendEmailRequest, { templates, uploads }: Lookups): Promise<CompleteEmail> {
  const { template, attachments, ...rest } = request;
  const filled = template ? await fromTemplate(template, templates) : { subject: null, parts: {} };
  const subject = rest.subject ?? filled.subject;
  if (!subject) throw new ValidationError([{ path: 'subject', text: texts.noSubject }]);
  const files = hasUploads(request) ? await uploads(attachments ?? []) : (attachments as CompleteEmail['attachments']);
  return { ...rest, ...filled.parts, subject, attachments: files };
}

/** The limits of `POST /emails`, which a rendered template must keep too. */
const maxCharacters = { subject: 998, html: 400_000, text: 400_000 } as const;

type FindTemplate = (id: string) => ReturnType<typeof getNewestMessage>;

/** Finds templates of a workspace, each with one query however often it is used. */
export function templatesOf(workspaceId: string): FindTemplate {
  const queries = new Map<string, ReturnType<FindTemplate>>();
  return (id) => {
    const query = queries.get(id) ?? getNewestMessage(workspaceId, id);
    queries.set(id, query);
    return query;
  };
}

async function fromTemplate(
  { id, variables = {} }: NonNullable<SendEmailRequest['template']>,
  find: FindTemplate,
): Promise<{ subject: string | null; parts: { html?: string; text?: string; template: TemplateVersion } }> {
  const newest = isId('tpl', id) ? await find(id) : null;
  if (!newest) throw new ValidationError([{ path: 'template.id', text: unknownTemplate }]);
  const filled = fillTemplate(newest.message, variables);
  if (!filled.ok) {
    throw new ValidationError(filled.problems.map(({ key, text }) => ({ path: `template.variables.${key}`, text })));
  }
  const { subject, html, text } = filled;
  const issues = Object.entries({ subject, html, text }).flatMap(([name, value]) => tooLong(name, value));
  if (!html && !text) issues.push({ path: 'template', text: texts.emptyTemplate });
  if (issues.length > 0) throw new ValidationError(issues);
  const parts = { ...(html && { html }), ...(text && { text }), template: { id, version: newest.version } };
  return { subject, parts };
}

function tooLong(name: string, value: string | null): Issue[] {
  const most = maxCharacters[name as keyof typeof maxCharacters];
  if (value === null || characterCount(value) <= most) return [];
  const text: Text = {
    en: `with these values its ${name} has more than ${most} characters`,
    fr: `avec ces valeurs, son champ ${name} compte plus de ${most} caractères`,
  };
  return [{ path: 'template', text }];
}

type Attachments = NonNullable<SendEmailRequest['attachments']>;
type FetchUploads = (attachments: Attachments) => Promise<NonNullable<CompleteEmail['attachments']>>;

/**
 * Fetches the uploads of attachments; of a batch, as far as its memory budget allows. Throws `validation_error` with what
 * is wrong with each attachment.
 */
export const uploadsOf =
  (workspaceId: string, now: Date, budget: BudgetShare | null = null): FetchUploads =>
  async (attachments) => {
    const ids = attachments.flatMap(({ upload_id }) => upload_id ?? []);
    const known = await findUploads(
      workspaceId,
      ids.filter((id) => isId('upl', id)),
    );
    throwIssues(attachments, (id) => problemOf(id, known.get(id), now));
    // Sizes are checked before anything is fetched, so that memory never holds more than one message may have.
    const announced = attachments.map((one) => attachedFile(one, known.get(one.upload_id ?? '')));
    checkMessageSize(encodedFiles(announced), announced);
    const fits = budget === null || (await budget.take(encodedFiles(announced)));
    throwIssues(attachments, () => (fits ? null : texts.batchTooLarge));
    const files = new Map(
      await Promise.all(
        [...known.keys()].map(async (id) => [id, await getChunks(uploadKey(workspaceId, id))] as const),
      ),
    );
    throwIssues(attachments, (id) => {
      const file = files.get(id);
      return file && bytesIn(file) === known.get(id)?.bytes ? null : texts.notUploaded;
    });
    return announced.map((file, index) => {
      const content = files.get(attachments[index]?.upload_id ?? '');
      return content ? { ...file, content } : file;
    });
  };

/** Name and type default to those of the upload. Its bytes are fetched later. */
function attachedFile(
  { upload_id: _, content, filename, ...rest }: Attachments[number],
  upload: Upload | undefined,
): AttachedFile {
  return {
    ...rest,
    filename: filename ?? upload?.filename ?? '',
    content: content ?? '',
    content_type: rest.content_type ?? upload?.contentType,
    ...(upload && { announced: upload.bytes }),
  };
}

function problemOf(id: string, upload: Upload | undefined, now: Date): Text | null {
  if (!isId('upl', id)) return texts.unknownUpload;
  if (uploadEnd(upload?.createdAt ?? timeOfId(id)) <= now) return texts.expired;
  return upload ? null : texts.unknownUpload;
}

function throwIssues(attachments: Attachments, problem: (id: string) => Text | null): void {
  const issues = attachments.flatMap(({ upload_id }, index): Issue[] => {
    const text = upload_id === undefined ? null : problem(upload_id);
    return text ? [{ path: `attachments[${index}].upload_id`, text }] : [];
  });
  if (issues.length > 0) throw new ValidationError(issues);
}

/** One email's share of the memory budget of its batch. */
export interface BudgetShare {
  /** Takes encoded bytes once the emails before have decided. False when not enough is left. */
  take(bytes: number): Promise<boolean>;
  /** Lets the next email take its share. Idempotent. */
  leave(): void;
}

/**
 * The memory for the uploads of a batch: that of one message of the largest size. Shares are decided in the order in which
 * they were made, so that the same batch is always decided in the same way.
 */
export class MemoryBudget {
  #left = maxMessageBytes;
  #before: Promise<void> = Promise.resolve();

  share(): BudgetShare {
    const before = this.#before;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#before = promise;
    return {
      take: async (bytes) => {
        await before;
        const fits = bytes <= this.#left;
        if (fits) this.#left -= bytes;
        resolve();
        return fits;
      },
      leave: () => void before.then(resolve),
    };
  }
}

const texts = textsOf({
  noSubject: {
    en: 'is required: the template has none, or an empty one with these values',
    fr: 'est obligatoire : le modèle n’en a pas, ou un vide avec ces valeurs',
  },
  emptyTemplate: {
    en: 'is empty with these values',
    fr: 'est vide avec ces valeurs',
  },
  unknownUpload: {
    en: 'there is no such upload in this workspace',
    fr: 'ce téléversement n’existe pas dans cet espace',
  },
  expired: {
    en: 'has expired: a file can be sent for a day',
    fr: 'a expiré : un fichier peut être envoyé pendant un jour',
  },
  batchTooLarge: {
    en: 'the files of a batch are too large together: at most 40 MB once encoded, a file counting as often as it is attached',
    fr: 'les fichiers d’un lot sont trop volumineux ensemble : 40 Mo au plus une fois encodés, un fichier comptant autant de fois qu’il est joint',
  },
  notUploaded: {
    en: 'nothing was uploaded to its address yet: PUT the file there first, and wait for 200',
    fr: 'rien n’a encore été déposé à son adresse : envoyez-y d’abord le fichier par PUT, et attendez 200',
  },
});
