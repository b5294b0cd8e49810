import { Busboy } from '@fastify/busboy';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ConsoleRequest, UploadedFile } from '../../console/call.ts';
import { headerOf } from '../credentials.ts';

/** What a form brings. */
export type Posted = Pick<ConsoleRequest, 'form' | 'files'>;

/** Beyond what any form of the console holds but one with a file: there it is what a request of Lambda carries. */
const maxFormBytes = 256 * 1024;
const maxFilesBytes = 4_400_000;

/** The fields and files of a body; nothing of one of another type, and null when it is larger than a form may be. */
export async function postedIn(event: APIGatewayProxyEvent): Promise<Posted | null> {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const type = headerOf(event, 'content-type');
  const isMultipart = /^multipart\/form-data\s*;/i.test(type);
  if (body.length > (isMultipart ? maxFilesBytes : maxFormBytes)) return null;
  if (isMultipart) return multipart(type, body);
  const isForm = type.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
  return { form: new URLSearchParams(isForm ? body.toString('utf8') : ''), files: new Map() };
}

/** RFC 7578. What is no form after all brings nothing, so that it fails as a form without its token does. */
function multipart(type: string, body: Buffer): Promise<Posted> {
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
        // A body that breaks off inside a file is told to the file alone; unheard, it would end the process.
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
