import { endOfSession as endAtProvider } from '../../../identity/authorization.ts';
import { publicUrl } from '../../../platform/config.ts';
import { logger } from '../../../platform/logger.ts';

/**
 * Where the provider's own session ends too (OpenID Connect RP-Initiated Logout 1.0), after which the browser comes back
 * to the console. Null when it has no such place, or cannot be asked: the console's own session ends in any case.
 */
export async function endOfSession(): Promise<string | null> {
  try {
    return await endAtProvider(`${publicUrl()}/console`);
  } catch (error) {
    logger.warn('The provider could not be asked where its session ends.', error as Error);
    return null;
  }
}
