import { epochSeconds } from '../../platform/clock.ts';
import { sign, verify } from '../../platform/secret.ts';

/** A form that was open for longer is shown again. */
const formSeconds = 86_400;
/** For clocks of different machines. */
const toleranceSeconds = 300;

/**
 * The token in a workspace's form. It proves that the form was fetched, without a cookie, which browsers do not send in
 * frames.
 */
export async function createFormToken(publicId: string, now: Date): Promise<string> {
  const issuedAt = epochSeconds(now).toString(36);
  return `${issuedAt}.${await sign('forms', `${publicId}.${issuedAt}`)}`;
}

/** True for a token of this form that is at most a day old. */
export async function isFormToken(publicId: string, token: string, now: Date): Promise<boolean> {
  const [issuedAt = '', signature = '', ...rest] = token.split('.');
  const age = epochSeconds(now) - Number.parseInt(issuedAt, 36);
  if (rest.length > 0 || !(age >= -toleranceSeconds && age <= formSeconds)) return false;
  return verify('forms', `${publicId}.${issuedAt}`, signature);
}
