import { randomUUID } from 'node:crypto';

/** An id as SES gives to messages and to feedback: `0100`, twelve hex digits of the time, a UUID, a counter. */
export function newSesId(milliseconds: number): string {
  return `0100${Math.floor(milliseconds).toString(16).padStart(12, '0')}-${randomUUID()}-000000`;
}
