import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { currentKey, withFittingKey } from '../../platform/secret.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Turns what is nobody else's business into what may stand in an address, and back. */
export interface Places {
  seal(text: string): string;
  /** Null for what was not sealed for this workspace. */
  open(sealed: string): Promise<string | null>;
}

/**
 * Addresses of pages stay in histories, logs and referrers: what of them names a person, or lies beside one in a list, is
 * sealed (AES-256-GCM, NIST SP 800-38D), bound to the workspace. It opens until the service secret was rotated twice.
 */
export async function placesOf(workspaceId: string): Promise<Places> {
  const key = await currentKey('console-places');
  const bound = Buffer.from(workspaceId);
  return {
    seal: (text) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(bound);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
    },
    open: async (sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      return bytes.length < nonceBytes + tagBytes
        ? null
        : withFittingKey('console-places', (fitting) => opened(bytes, fitting, bound));
    },
  };
}

function opened(bytes: Buffer, key: Buffer, bound: Buffer): string | null {
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(bound);
  try {
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}
