import { isUtf8 } from 'node:buffer';
import type { Chunks } from '../../platform/memory/chunks.ts';

/** Whether bytes are UTF-8 (RFC 3629), wherever their chunks were cut: in the midst of a character too. */
export function areUtf8(chunks: Chunks): boolean {
  let begun: Uint8Array = new Uint8Array();
  for (const chunk of chunks) {
    const [lead] = begun;
    const start = lead === undefined ? 0 : Math.min(bytesOfCharacter(lead) - begun.length, chunk.length);
    begun = Buffer.concat([begun, chunk.subarray(0, start)]);
    if (lead !== undefined && begun.length < bytesOfCharacter(lead)) continue;
    const end = chunk.length - begunAtEnd(chunk.subarray(start));
    if (!isUtf8(begun) || !isUtf8(chunk.subarray(start, end))) return false;
    begun = chunk.subarray(end);
  }
  return begun.length === 0;
}

function bytesOfCharacter(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

/** Bytes at the end of these that begin a character and do not end it. */
function begunAtEnd(bytes: Uint8Array): number {
  const isContinuation = (byte: number): boolean => byte >= 0x80 && byte < 0xc0;
  const last = bytes.subarray(-3);
  const lead = last.findLastIndex((byte) => !isContinuation(byte));
  const length = last.length - lead;
  return lead >= 0 && bytesOfCharacter(last[lead] as number) > length ? length : 0;
}
