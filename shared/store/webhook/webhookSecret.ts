import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { secretPrefix } from '../../domain/webhook/signature.ts';
import type { WebhookPosition } from '../../domain/webhook/webhook.ts';
import { currentKey, withFittingKey } from '../../platform/secret.ts';
import { webhookKey } from '../table/keys.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** The secret that signs a webhook's deliveries: `whsec_` and 32 random bytes in base64. */
export function createWebhookSecret(): string {
  return `${secretPrefix}${randomBytes(32).toString('base64')}`;
}

/**
 * Encrypts a secret for storage: AES-256-GCM (NIST SP 800-38D) under a key that is not in the table. It is bound to the
 * item's key, so that a secret copied to another webhook cannot be decrypted there.
 */
export async function sealWebhookSecret(secret: string, webhook: WebhookPosition): Promise<string> {
  const key = await currentKey('webhook-secrets');
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(boundTo(webhook));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Decrypts a secret under the current or any earlier service secret. Throws when it was altered or moved. */
export async function openWebhookSecret(sealed: string, webhook: WebhookPosition): Promise<string> {
  const bytes = Buffer.from(sealed, 'base64url');
  const secret = await withFittingKey('webhook-secrets', (key) => open(bytes, key, boundTo(webhook)));
  if (secret !== null) return secret;
  throw new Error(
    'A webhook secret could not be opened: it was altered, or sealed under a service secret that is gone.',
  );
}

function open(bytes: Buffer, key: Buffer, bound: Buffer): string | null {
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(bound);
  try {
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8');
    return text + decipher.final('utf8');
  } catch {
    return null;
  }
}

function boundTo({ workspaceId, webhookId }: WebhookPosition): Buffer {
  const { pk, sk } = webhookKey(workspaceId, webhookId);
  return Buffer.from(`${pk}\n${sk}`);
}
