import * as z from 'zod';
import type { Transaction } from '../../../identity/authorization.ts';
import { addSeconds } from '../../../platform/clock.ts';
import { sign, verify } from '../../../platform/secret.ts';

/** Long enough to look for one's telephone, or to choose a first password. */
export const transactionSeconds = 15 * 60;

const payload = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The page that was wanted. */
  back: z.string(),
  /** Unix milliseconds. */
  until: z.number(),
});

/** What a browser keeps while somebody signs in at the provider. */
export interface SignInUnderWay extends Transaction {
  readonly back: string;
}

/** Signed and kept nowhere: only the browser that began can bring it back. */
export async function sealTransaction(underWay: SignInUnderWay, now: Date): Promise<string> {
  const until = addSeconds(now, transactionSeconds).getTime();
  const text = Buffer.from(JSON.stringify({ ...underWay, until })).toString('base64url');
  return `${text}.${await sign('console', signedText(text))}`;
}

/** Null for what was not signed here, or is too old. */
export async function openTransaction(token: string, now: Date): Promise<SignInUnderWay | null> {
  const [text = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !(await verify('console', signedText(text), signature))) return null;
  const { until, ...underWay } = payload.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  return until <= now.getTime() ? null : underWay;
}

/** Nothing that was signed for another purpose is a transaction. */
const signedText = (text: string): string => `transaction.${text}`;
