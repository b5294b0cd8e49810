import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

/** A body that is never in memory as a whole: gone through once for the hash that is signed, and once as it is sent. */
export interface BodyInPieces {
  /** Bytes. */
  readonly length: number;
  /** A piece need be good only until the next is asked for. */
  pieces(): Iterable<Uint8Array>;
}

/** SHA-256 in hexadecimal, for the header `x-amz-content-sha256`, by which the signature covers the body. */
export function hashOf({ pieces }: BodyInPieces): string {
  const hash = createHash('sha256');
  for (const piece of pieces()) hash.update(piece);
  return hash.digest('hex');
}

/** What the SDK's handler sends as the body of a request: it pipes what is a stream, and asks nothing else of it. */
export const bodyStream = ({ pieces }: BodyInPieces): Readable => new PieceByPiece(pieces());

/**
 * A pipe reads ahead, and asks for the next piece while the connection still holds the last one. This one asks for it when
 * the last was taken, so that all pieces may lie in the same buffer.
 */
class PieceByPiece extends Readable {
  readonly #pieces: Iterator<Uint8Array>;

  constructor(pieces: Iterable<Uint8Array>) {
    super();
    this.#pieces = pieces[Symbol.iterator]();
  }

  override pipe<Request extends NodeJS.WritableStream>(request: Request): Request {
    const next = (error?: Error | null) => {
      // The request says by itself what went wrong with it.
      if (error) return;
      const { value, done } = this.#pieces.next();
      if (done) request.end();
      else request.write(value, next);
    };
    next();
    return request;
  }
}
