import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { Mime } from './mimeChunks.ts';

/** What the SDK writes of a message that has nothing in it: here the real one goes. */
const place = '"Data":""';

interface SerialisedRequest {
  /** As the SDK serialised it, then as it is sent. */
  body: Uint8Array | Readable;
  readonly headers: Record<string, string>;
}

/**
 * Lets a command carry a message piece by piece, in place of an empty one: as text in JSON it would be in memory four
 * times, each a third larger than it is. It is gone through twice, once for the hash that is signed (AWS Signature
 * Version 4, "x-amz-content-sha256") and once as it is sent.
 */
export function streamContent(command: SendEmailCommand, mime: Mime): void {
  command.middlewareStack.add(
    (next) => async (args) => {
      const request = args.request as SerialisedRequest;
      const [head, tail, ...others] = new TextDecoder().decode(request.body as Uint8Array).split(place);
      if (head === undefined || tail === undefined || others.length > 0)
        throw new Error('There is no one place for it.');
      const ends = [`${head}"Data":"`, `"${tail}`] as const;
      const hash = createHash('sha256');
      for (const piece of jsonOf(ends, mime)) hash.update(piece);
      const characters = Math.ceil(mime.length / 3) * 4;
      request.headers['content-length'] = String(Buffer.byteLength(ends.join('')) + characters);
      request.headers['x-amz-content-sha256'] = hash.digest('hex');
      request.body = Readable.from(jsonOf(ends, mime), { objectMode: false });
      return next(args);
    },
    { step: 'build', name: 'streamContent' },
  );
}

/** The request as it is sent, in ASCII but for its ends. */
function* jsonOf([head, tail]: readonly [string, string], { chunks }: Mime): Generator<Buffer> {
  yield Buffer.from(head);
  let rest: Uint8Array = new Uint8Array();
  for (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    // Three bytes are four characters: what is left over begins the next piece.
    const end = bytes.length - (bytes.length % 3);
    if (end > 0) yield Buffer.from(bytes.toString('base64', 0, end), 'latin1');
    rest = bytes.subarray(end);
  }
  yield Buffer.from(Buffer.from(rest).toString('base64'), 'latin1');
  yield Buffer.from(tail);
}
