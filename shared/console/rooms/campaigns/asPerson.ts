import { ValidationError } from '../../../contract/errors.ts';
import { canonicalAddress } from '../../../domain/address/canonicalAddress.ts';
import type { ConsoleCall } from '../../call.ts';
import { campaignsTexts as texts } from './texts.ts';

/**
 * Whom a message is shown as, as it may stand in the address of a page; nothing of nothing. Throws `validation_error` for
 * what is no address.
 */
export function sealedPerson(call: Pick<ConsoleCall, 'places'>, written: string): string | undefined {
  const sealed = sealedIfAddress(call, written);
  if (sealed === undefined && written.trim() !== '') {
    throw new ValidationError([{ path: 'as', text: texts.noAddress }]);
  }
  return sealed;
}

/** The same, where what is no address yet is nobody: the message is shown with its fallbacks. */
export function sealedIfAddress({ places }: Pick<ConsoleCall, 'places'>, written: string): string | undefined {
  const email = canonicalAddress(written);
  return email === null ? undefined : places.seal(email);
}
