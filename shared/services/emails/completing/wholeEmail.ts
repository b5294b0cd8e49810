import type { SendEmailRequest } from '../../../contract/schemas/email/request.ts';
import type { TemplateVersion } from '../../../domain/template/template.ts';
import type { Chunks } from '../../../platform/memory/chunks.ts';

/** A file of a message: in base64, or as bytes that were uploaded. */
export interface AttachedFile {
  readonly filename: string;
  readonly content: string | Chunks;
  /** Its bytes, while they are still to be fetched. */
  readonly announced?: number;
  readonly content_type?: string | undefined;
  readonly content_id?: string | undefined;
}

/** What is to be sent, with nothing left to be looked up. */
export interface WholeEmail extends Omit<SendEmailRequest, 'subject' | 'template' | 'attachments'> {
  readonly subject: string;
  /** What it was made of. */
  readonly template?: TemplateVersion;
  readonly attachments?: readonly AttachedFile[] | undefined;
}
