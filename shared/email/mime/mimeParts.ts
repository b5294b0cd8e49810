/** A message as it is sent. A large one is never in one piece: its files are encoded as it goes out, each time anew. */
export interface Mime {
  /** Bytes. */
  readonly length: number;
  readonly isLarge: boolean;
  /** May be gone through again and again. */
  pieces(): Iterable<Uint8Array>;
}

export const mimeOf = (bytes: Uint8Array): Mime => ({
  length: bytes.length,
  isLarge: false,
  pieces: () => [bytes],
});

/** A message with files where `parts` have them, which it holds as they are: a quarter less than encoded. */
export const largeMimeOf = (parts: readonly (Uint8Array | File)[]): Mime => ({
  length: parts.reduce((sum, part) => sum + ('file' in part ? encodedLength(part.file) : part.length), 0),
  isLarge: true,
  *pieces() {
    for (const part of parts) {
      if ('file' in part) yield* encodedLines(part.file);
      else yield part;
    }
  },
});

/** What becomes base64 in lines of 76 characters (RFC 2045 section 6.8). */
interface File {
  readonly file: Buffer;
}

const charactersOfLine = 76;
const bytesOfLine = 57;
/** Some 80 kB once encoded. */
const linesOfPiece = 1024;

function encodedLength({ length }: Buffer): number {
  const characters = Math.ceil(length / 3) * 4;
  return characters + 2 * Math.max(0, Math.ceil(characters / charactersOfLine) - 1);
}

function* encodedLines(file: Buffer): Generator<Uint8Array> {
  const bytesOfPiece = bytesOfLine * linesOfPiece;
  for (let start = 0; start < file.length; start += bytesOfPiece) {
    const end = start + bytesOfPiece;
    const lines = file.toString('base64', start, end).replace(/.{76}(?=.)/g, '$&\r\n');
    yield Buffer.from(end < file.length ? `${lines}\r\n` : lines, 'latin1');
  }
}
