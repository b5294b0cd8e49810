import * as z from 'zod';
import { badRequest, notFound } from '../errors.ts';
import { checkHeaders, type Destination, nameValueListSchema } from '../limits/requestLimits.ts';
import { requireAddress } from '../mail/addresses.ts';
import { composeSimple, type SimpleAttachment, type SimpleMessage } from '../mail/compose.ts';
import type { TrackingOverrides } from '../mail/submission.ts';
import { checkTemplate } from '../mail/template.ts';
import type { Header } from '../mime/headers.ts';
import { type MimePart, parseMime } from '../mime/parse.ts';
import { checkBytes, checkStructure } from '../mime/rules.ts';

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

/** Reads and checks a message that came as MIME. Throws BadRequestException. */
export function rawContent(bytes: Buffer): Content {
  const message = checkBytes(bytes);
  const root = parseMime(message);
  checkStructure(root);
  return { message, root, shownHeaders: root.headers };
}

/** What Simple and Template calls share besides the texts. */
export interface Envelope {
  readonly from: string | null | undefined;
  readonly destination: Destination;
  readonly replyTo: readonly string[] | null | undefined;
}

/** Composes and checks. Date and Message-ID of the composer are not what the caller passed, so events do not show them. */
export async function simpleContent(envelope: Envelope, parts: Omit<SimpleMessage, 'from' | 'to' | 'cc' | 'replyTo'>) {
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

/** The inline content of a template. Stored templates do not exist here, so naming one is a NotFoundException. */
export function templateContent(template: z.infer<typeof templateSchema>) {
  const content = template.TemplateContent;
  if (!content) throw notFound(`Template ${template.TemplateName ?? template.TemplateArn ?? ''} does not exist.`);
  if (!content.Subject) throw badRequest('The template has no subject.');
  const { Subject: subject, Text, Html } = content;
  for (const part of [Text, Html]) checkTemplate(part ?? '');
  return { subject, text: Text ?? undefined, html: Html ?? undefined };
}
