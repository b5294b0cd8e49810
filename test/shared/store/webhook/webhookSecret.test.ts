import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';

const webhook = { workspaceId: 'ws_1', webhookId: 'whk_1' };
const oldSecret = randomBytes(32).toString('base64url');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailroom-'));
  process.env.SERVICE_SECRET_FILE = join(folder, 'secret.json');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The module as a new container loads it, with this service secret. */
async function withServiceSecret(secret: { current: string; previous?: string }) {
  writeFileSync(join(folder, 'secret.json'), JSON.stringify(secret));
  jest.resetModules();
  return import('../../../../shared/store/webhook/webhookSecret.ts');
}

describe('the secret of a webhook', () => {
  it('is whsec_ and 32 random bytes in base64', async () => {
    const { createWebhookSecret } = await withServiceSecret({ current: oldSecret });
    const secrets = Array.from({ length: 20 }, createWebhookSecret);
    expect(new Set(secrets).size).toBe(20);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
  });

  it('cannot be read from what is stored, which differs each time', async () => {
    const { createWebhookSecret, sealWebhookSecret, openWebhookSecret } = await withServiceSecret({
      current: oldSecret,
    });
    const secret = createWebhookSecret();
    const [one, two] = [await sealWebhookSecret(secret, webhook), await sealWebhookSecret(secret, webhook)];
    expect(one).not.toBe(two);
    for (const sealed of [one, two]) {
      const bytes = Buffer.from(sealed, 'base64url').toString('latin1');
      expect(bytes).not.toContain('whsec_');
      expect(await openWebhookSecret(sealed, webhook)).toBe(secret);
    }
  });

  it('does not open in another webhook, nor when a byte was changed', async () => {
    const { sealWebhookSecret, openWebhookSecret } = await withServiceSecret({ current: oldSecret });
    const sealed = await sealWebhookSecret('whsec_x', webhook);
    const elsewhere = [
      { ...webhook, webhookId: 'whk_2' },
      { ...webhook, workspaceId: 'ws_2' },
    ];
    for (const other of elsewhere)
      await expect(openWebhookSecret(sealed, other)).rejects.toThrow(/could not be opened/);
    const bytes = Buffer.from(sealed, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const altered = Buffer.from(bytes);
      altered[index] = (altered[index] ?? 0) ^ 1;
      await expect(openWebhookSecret(altered.toString('base64url'), webhook)).rejects.toThrow();
    }
    await expect(openWebhookSecret('', webhook)).rejects.toThrow();
  });

  it('opens after the service secret was rotated once, and not with a stranger’s', async () => {
    const { sealWebhookSecret } = await withServiceSecret({ current: oldSecret });
    const sealed = await sealWebhookSecret('whsec_x', webhook);
    const current = randomBytes(32).toString('base64url');
    const rotated = await withServiceSecret({ current, previous: oldSecret });
    expect(await rotated.openWebhookSecret(sealed, webhook)).toBe('whsec_x');
    const stranger = await withServiceSecret({ current });
    await expect(stranger.openWebhookSecret(sealed, webhook)).rejects.toThrow();
  });
});
