import { addressKey, isSimulatorAddress } from '../address/address.ts';

/** SES takes 50 recipients a message over To, Cc and Bcc. */
const envelopeSize = 50;

/** Each address once, in order; addresses that compare equal are the same mailbox to suppression and quota. */
export function distinctAddresses(addresses: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const address of addresses) {
    const key = addressKey(address);
    if (!seen.has(key)) seen.set(key, address);
  }
  return [...seen.values()];
}

export function envelopesOf(addresses: readonly string[]): string[][] {
  const envelopes: string[][] = [];
  for (let start = 0; start < addresses.length; start += envelopeSize) {
    envelopes.push(addresses.slice(start, start + envelopeSize));
  }
  return envelopes;
}

/** How many of these count in the reputation: mail to the provider's simulator does not. */
export function countedRecipients(addresses: readonly string[]): number {
  return addresses.filter((address) => !isSimulatorAddress(address)).length;
}
