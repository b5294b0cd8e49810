import { hash } from 'node:crypto';

/** SQS took or gave another text than the one that was sent. */
class InvalidChecksum extends Error {
  override readonly name = 'InvalidChecksum';
}

/** Holds the body of a message against the MD5 that SQS told of it, as the SDK does; none is wrong as well. */
export function checkBody(body: string | undefined, told: string | undefined): void {
  if (told !== hash('md5', body ?? '')) throw new InvalidChecksum('The checksum of a message is wrong.');
}
