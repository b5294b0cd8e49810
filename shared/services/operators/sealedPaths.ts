import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { currentKey, withFittingKey } from '../../platform/secret.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts text for use in URLs. */
export interface PathSealer {
  seal(text: string): string;
  /** Null for text that was not encrypted for this workspace. */
  open(sealed: string): Promise<string | null>;
}

/**
 * URLs remain in histories, logs and referrers, so the parts that identify a person or a position in a list of people
 * are encrypted (AES-256-GCM, NIST SP 800-38D) and bound to the workspace. They can be decrypted until the service
 * secret has been rotated twice.
 */
export async function pathSealerOf(workspaceId: string): Promise<PathSealer> {
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
