import { ServiceError } from '../../../contract/errors.ts';
import type { ConsoleCall } from '../../call.ts';

/** The page of a person: their address stands in it sealed. */
export const personPath = ({ places }: Pick<ConsoleCall, 'places'>, email: string): string =>
  `/people/at/${places.seal(email)}`;

/** Whose page it is. Throws `not_found`. */
export async function personAt({ places, parameters }: ConsoleCall): Promise<string> {
  const email = await places.open(parameters.person ?? '');
  if (email === null) throw new ServiceError('not_found');
  return email;
}
