import * as z from 'zod';
import { badRequest, notFound } from '../errors.ts';
import type { TrackingOverrides } from '../mail/submission.ts';
import { requireAddress } from '../mime/addresses.ts';
import type { Header } from '../mime/headers.ts';
import { checkBytes, checkStructure } from '../mime/messageRules.ts';
import { type MimePart, parseMime } from '../mime/mimeStructure.ts';
import { composeSimple, type SimpleAttachment, type SimpleMessage } from './composeMessage.ts';
import { checkHeaders, type Destination, nameValueListSchema } from './requestLimits.ts';

const text = z.looseObject({ Data: z.string(), Charset: z.string().nullish() });
const attachmentsSchema = z
  .array(
    z.looseObject({
      RawContent: z.string(),
      FileName: z.string(),
      ContentType: z.string().nullish(),
      ContentId: z.string().nullish(),
      ContentDescription: z.string().nullish(),
      ContentDisposition: z.enum(['ATTACHMENT', 'INLINE']).nullish(),
      ContentTransferEncoding: z.enum(['BASE64', 'QUOTED_PRINTABLE', 'SEVEN_BIT']).nullish(),
    }),
  )
  .nullish();
export const templateSchema = z.looseObject({
  TemplateName: z.string().nullish(),
  TemplateArn: z.string().nullish(),
  TemplateContent: z
    .looseObject({ Subject: z.string().nullish(), Text: z.string().nullish(), Html: z.string().nullish() })
    .nullish(),
  TemplateData: z.string().nullish(),
  Headers: nameValueListSchema,
  Attachments: attachmentsSchema,
});
export const simpleSchema = z.looseObject({
  Subject: text,
  Body: z.looseObject({ Text: text.nullish(), Html: text.nullish() }),
  Headers: nameValueListSchema,
  Attachments: attachmentsSchema,
});
const featureStatus = z.enum(['ENABLED', 'DISABLED']).nullish();
export const overridesSchema = z
  .looseObject({
    Tracking: z.looseObject({ OpenTrackingEnabled: featureStatus, ClickTrackingEnabled: featureStatus }).nullish(),
  })
  .nullish();

export interface Content {
  readonly message: Buffer;
  readonly root: MimePart;
  readonly shownHeaders: readonly Header[];
}

export function trackingOverrides(overrides: z.infer<typeof overridesSchema>): TrackingOverrides {
  const read = (status: 'ENABLED' | 'DISABLED' | null | undefined) => (status ? status === 'ENABLED' : null);
  const tracking = overrides?.Tracking;
  return { opens: read(tracking?.OpenTrackingEnabled), clicks: read(tracking?.ClickTrackingEnabled) };
}

/** Reads and checks a raw message. Throws BadRequestException. */
export function rawContent(bytes: Buffer): Content {
  const message = checkBytes(bytes);
  const root = parseMime(message);
  checkStructure(root);
  return { message, root, shownHeaders: root.headers };
}

/** The fields that Simple and Template calls share, besides the texts. */
export interface AddressFields {
  readonly from: string | null | undefined;
  readonly destination: Destination;
  readonly replyTo: readonly string[] | null | undefined;
}

/** Composes and checks. Events do not show the composer's Date and Message-ID, which the caller did not pass. */
export async function simpleContent(
  envelope: AddressFields,
  parts: Omit<SimpleMessage, 'from' | 'to' | 'cc' | 'replyTo'>,
) {
  if (!envelope.from) throw badRequest("Missing required header 'From'.");
  requireAddress(envelope.from);
  checkHeaders(parts.headers);
  if (parts.text === undefined && parts.html === undefined) throw badRequest('Body must have a text or an HTML part.');
  const message = await composeSimple({
    ...parts,
    from: envelope.from,
    to: envelope.destination?.ToAddresses ?? [],
    cc: envelope.destination?.CcAddresses ?? [],
    replyTo: envelope.replyTo ?? [],
  });
  const content = rawContent(message);
  const shownHeaders = content.root.headers.filter(({ name }) => !/^(?:date|message-id)$/i.test(name));
  return { ...content, shownHeaders };
}

export function readAttachments(attachments: z.infer<typeof attachmentsSchema>): SimpleAttachment[] {
  const encodings = { BASE64: 'base64', QUOTED_PRINTABLE: 'quoted-printable', SEVEN_BIT: '7bit' } as const;
  return (attachments ?? []).map((attachment) => ({
    content: Buffer.from(attachment.RawContent, 'base64'),
    fileName: attachment.FileName,
    contentType: attachment.ContentType ?? undefined,
    contentId: attachment.ContentId ?? undefined,
    description: attachment.ContentDescription ?? undefined,
    disposition: attachment.ContentDisposition === 'INLINE' ? 'inline' : 'attachment',
    transferEncoding: encodings[attachment.ContentTransferEncoding ?? 'BASE64'],
  }));
}

/** The inline content of a template. Stored templates do not exist here: naming one is a NotFoundException. */
export function templateContent(template: z.infer<typeof templateSchema>) {
  const content = template.TemplateContent;
  if (!content) throw notFound(`Template ${template.TemplateName ?? template.TemplateArn ?? ''} does not exist.`);
  if (!content.Subject) throw badRequest('The template has no subject.');
  const { Subject: subject, Text, Html } = content;
  for (const part of [Text, Html]) checkTemplate(part ?? '');
  return { subject, text: Text ?? undefined, html: Html ?? undefined };
}

type TemplateTexts = ReturnType<typeof templateContent>;
export type RenderedTexts =
  | { readonly ok: true; readonly texts: TemplateTexts }
  | { readonly ok: false; readonly problem: string };

/** Substitutes in subject and bodies; the problem names the first missing attribute. */
export function renderTexts({ subject, text, html }: TemplateTexts, data: TemplateData): RenderedTexts {
  const rendered = { subject, text, html };
  for (const key of ['subject', 'text', 'html'] as const) {
    const template = rendered[key];
    if (template === undefined) continue;
    const result = renderTemplate(template, data);
    if (!result.ok) return result;
    rendered[key] = result.text;
  }
  return { ok: true, texts: rendered };
}

/** An empty message, for a template that could not be rendered. */
export function unrenderedContent(): Content {
  const type = { value: 'text/plain', params: {} };
  const root = { headers: [], type, encoding: '7bit', headersEnd: 0, bodyStart: 0, bodyEnd: 0, children: [] };
  return { message: Buffer.alloc(0), root, shownHeaders: [] };
}

export type TemplateData = Readonly<Record<string, unknown>>;
type Rendered = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** Throws BadRequestException for anything but a JSON object. */
export function parseTemplateData(text: string | null | undefined): TemplateData {
  if (text === null || text === undefined || text === '') return {};
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as TemplateData;
  } catch {
    // Invalid JSON gets the same error as a value that is not an object.
  }
  throw badRequest('Template data must be a JSON object.');
}

/**
 * Inline templates have simple substitution only, without escaping. `{{ses:openTracker}}` is left for tracking.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Template.html
 */
function renderTemplate(template: string, data: TemplateData): Rendered {
  let absent: string | null = null;
  const text = template.replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (placeholder, name: string) => {
    if (name === 'ses:openTracker') return placeholder;
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (value === undefined) absent ??= name;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
  return absent === null
    ? { ok: true, text }
    : { ok: false, problem: `Attribute '${absent}' is not present in the rendering data.` };
}

/** A template with more than one open tracker is refused, as SES does. */
function checkTemplate(template: string): void {
  if (template.split('{{ses:openTracker}}').length > 2) {
    throw badRequest('A template must not contain {{ses:openTracker}} more than once.');
  }
}
