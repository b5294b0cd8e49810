/** A message as it is sent. A large one is in many pieces, and never in one: that would be twice its size. */
export interface Mime {
  readonly chunks: readonly Uint8Array[];
  /** Bytes. */
  readonly length: number;
}

export const mimeOf = (chunks: readonly Uint8Array[]): Mime => ({
  chunks,
  length: chunks.reduce((sum, { length }) => sum + length, 0),
});
