import { publicUrl } from '../../platform/config.ts';
import { transactionSeconds } from '../../services/operators/providerSignIn.ts';
import { sessionSeconds } from '../../services/operators/session.ts';

const yearSeconds = 365 * 86_400;

const isSecure = (): boolean => new URL(publicUrl()).protocol === 'https:';

/**
 * The prefix `__Host-` binds the cookie to this host and to https. Without https, on a laptop, the name contains the
 * port, because browsers send the cookies of a host to all of its ports.
 */
const named = (name: string): string =>
  isSecure() ? `__Host-${name}` : `${name}-${new URL(publicUrl()).port || '80'}`;

export const sessionCookie = (): string => named('mailroom');
/** Kept during a sign-in at the provider. */
export const transactionCookie = (): string => named('mailroom-sign-in');

const languageCookie = 'mailroom-language';

/** The language that the operator chose. */
export const languageOfCookies = (cookies: ReadonlyMap<string, string>): string | undefined =>
  cookies.get(languageCookie);

const zoneCookie = 'mailroom-zone';

/** The time zone in which the operator last scheduled something. */
export const zoneOfCookies = (cookies: ReadonlyMap<string, string>): string | undefined => cookies.get(zoneCookie);

export const setSession = (token: string): string => cookie(sessionCookie(), token, sessionSeconds);
export const clearSession = (): string => cookie(sessionCookie(), '', 0);
export const setTransaction = (token: string): string => cookie(transactionCookie(), token, transactionSeconds);
export const endTransaction = (): string => cookie(transactionCookie(), '', 0);
export const setLanguage = (language: string): string => cookie(languageCookie, language, yearSeconds);
/** `zone` is a name of the IANA database, which contains no character that a cookie may not. */
export const setZone = (zone: string): string => cookie(zoneCookie, zone, yearSeconds);

/** SameSite=Lax: links from other sites open the console signed in; forms from other sites come without a session. */
function cookie(name: string, value: string, seconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`;
}
