import type { WholeEmail } from '../completing/wholeEmail.ts';

/** A whole email as it is kept until its moment: an upload is gone by then, so its bytes are a part of it. */
export function writtenBody({ attachments, ...body }: WholeEmail): Buffer {
  const files = attachments?.map(({ announced: _, content, ...file }) => ({
    ...file,
    content: typeof content === 'string' ? content : Buffer.from(content).toString('base64'),
  }));
  return Buffer.from(JSON.stringify({ ...body, attachments: files }));
}

export const readBody = (bytes: Buffer): WholeEmail => JSON.parse(bytes.toString('utf8')) as WholeEmail;
