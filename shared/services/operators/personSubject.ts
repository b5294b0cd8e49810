import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import { addressHash, aliasOf } from '../../domain/person/erased.ts';
import { ensureSalt } from '../../store/suppression/salt.ts';

/**
 * How the audit log calls a person: by what stands for their address once they are erased, so that the log tells the
 * same person again and holds nothing of them. Null for what is no address.
 */
export async function personSubject(address: string): Promise<string | null> {
  const email = canonicalAddress(address);
  if (!email) return null;
  const { salt } = await ensureSalt();
  return aliasOf(addressHash(salt, email));
}
