import { Busboy } from '@fastify/busboy';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ConsoleRequest, UploadedFile } from '../../../console/call.ts';
import { headerOf } from '../../authenticate.ts';

/** The fields and files of a posted form. */
export type FormBody = Pick<ConsoleRequest, 'form' | 'files'>;

/** More than any form without a file needs; with a file, the limit of a Lambda request. */
const maxFormBytes = 256 * 1024;
const maxFilesBytes = 4_400_000;

/** The fields and files of a body, none for a body of another type; null when it is too large. */
export async function readFormBody(event: APIGatewayProxyEvent): Promise<FormBody | null> {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const type = headerOf(event, 'content-type');
  const isMultipart = /^multipart\/form-data\s*;/i.test(type);
  if (body.length > (isMultipart ? maxFilesBytes : maxFormBytes)) return null;
  if (isMultipart) return multipart(type, body);
  const isForm = type.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
  return { form: new URLSearchParams(isForm ? body.toString('utf8') : ''), files: new Map() };
}

/** RFC 7578. A malformed body gives no fields, so that it fails like a form without its token. */
function multipart(type: string, body: Buffer): Promise<FormBody> {
  const form = new URLSearchParams();
  const files = new Map<string, UploadedFile>();
  return new Promise((resolve) => {
    const nothing = () => resolve({ form: new URLSearchParams(), files: new Map() });
    try {
      const parser = new Busboy({
        headers: { 'content-type': type },
        limits: { fields: 500, files: 1, fieldSize: maxFormBytes, parts: 501 },
      });
      parser.on('field', (name, value) => form.append(name, value));
      parser.on('file', (name, stream, filename) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => files.set(name, { filename: filename ?? '', bytes: Buffer.concat(chunks) }));
        // A body that ends inside a file emits an error on the file's stream; without a listener it would end the
        // process.
        stream.on('error', nothing);
      });
      parser.on('error', nothing);
      parser.on('finish', () => resolve({ form, files }));
      parser.end(body);
    } catch {
      nothing();
    }
  });
}
