import { publicUrl } from '../../platform/config.ts';
import { transactionSeconds } from '../../services/operators/provider/transaction.ts';
import { sessionSeconds } from '../../services/operators/session.ts';

const yearSeconds = 365 * 86_400;

const isSecure = (): boolean => new URL(publicUrl()).protocol === 'https:';

/**
 * `__Host-` binds the cookie to this very host, by https alone. On a laptop there is no https: then it goes by the port,
 * since browsers send the cookies of a host to each of its ports.
 */
const named = (name: string): string =>
  isSecure() ? `__Host-${name}` : `${name}-${new URL(publicUrl()).port || '80'}`;

export const sessionCookie = (): string => named('mailroom');
/** What a browser keeps while somebody signs in at the provider. */
export const transactionCookie = (): string => named('mailroom-sign-in');

const languageCookie = 'mailroom-language';

/** The choice of an operator; it says nothing about them. */
export const languageOfCookies = (cookies: ReadonlyMap<string, string>): string | undefined =>
  cookies.get(languageCookie);

const zoneCookie = 'mailroom-zone';

/** The zone in which an operator last chose a moment; it says nothing about them either. */
export const zoneOfCookies = (cookies: ReadonlyMap<string, string>): string | undefined => cookies.get(zoneCookie);

export const setSession = (token: string): string => cookie(sessionCookie(), token, sessionSeconds);
export const endSession = (): string => cookie(sessionCookie(), '', 0);
export const setTransaction = (token: string): string => cookie(transactionCookie(), token, transactionSeconds);
export const endTransaction = (): string => cookie(transactionCookie(), '', 0);
export const setLanguage = (language: string): string => cookie(languageCookie, language, yearSeconds);
/** The name of a zone of the IANA database, which holds nothing that a cookie may not. */
export const setZone = (zone: string): string => cookie(zoneCookie, zone, yearSeconds);

/** Lax: a link from elsewhere opens the console as who one is, and a form from elsewhere is nobody's. */
function cookie(name: string, value: string, seconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`;
}
