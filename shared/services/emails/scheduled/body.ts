import { bytesIn, type Chunks, cut, placeOf } from '../../../platform/memory/chunks.ts';
import type { AttachedFile, WholeEmail } from '../completing/wholeEmail.ts';

/** A file as it is kept: in base64, or so many bytes behind the line, in the order of the files. */
type KeptFile = Omit<AttachedFile, 'content' | 'announced'> &
  ({ readonly content: string } | { readonly bytes: number });

const newline = 0x0a;

/**
 * A whole email as it is kept until its moment: a line of JSON, and behind it the bytes of its uploads, which are gone by
 * then. As they are, since base64 in JSON would be in memory several times when it goes out.
 */
export function writtenBody({ attachments, ...body }: WholeEmail): Chunks {
  const kept = attachments?.map(
    ({ announced: _, content, ...file }): KeptFile =>
      typeof content === 'string' ? { ...file, content } : { ...file, bytes: bytesIn(content) },
  );
  const line = Buffer.from(JSON.stringify({ ...body, attachments: kept }));
  const files = attachments?.flatMap(({ content }) => (typeof content === 'string' ? [] : [content])) ?? [];
  return files.length === 0 ? [line] : [line, Buffer.of(newline), ...files.flat()];
}

/** The release before wrote the line alone, with every file in it. */
export function readBody(chunks: Chunks): WholeEmail {
  const end = placeOf(newline, chunks) ?? bytesIn(chunks);
  const line = Buffer.concat(cut(chunks, 0, end)).toString('utf8');
  const { attachments, ...body } = JSON.parse(line) as Omit<WholeEmail, 'attachments'> & {
    attachments?: readonly KeptFile[];
  };
  let start = end + 1;
  const files = attachments?.map((file): AttachedFile => {
    if ('content' in file) return file;
    const { bytes: length, ...rest } = file;
    start += length;
    return { ...rest, content: cut(chunks, start - length, start) };
  });
  return { ...body, attachments: files };
}
