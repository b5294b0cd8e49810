import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'mailroom-links-'));
const secretFile = join(folder, 'secret.json');
writeFileSync(secretFile, JSON.stringify({ current: 'a'.repeat(43) }));
process.env.SERVICE_SECRET_FILE = secretFile;
process.env.PUBLIC_URL = 'https://mail.example.com';
const { createLink, createLinkToken, readLink } = await import('../../../shared/services/links.ts');
afterAll(() => rmSync(folder, { recursive: true }));

const issued = new Date('2026-11-21T10:00:00.000Z');
const plus = (seconds: number) => new Date(issued.getTime() + seconds * 1000);
const subject = { workspaceId: 'ws_1', email: '"a b"+ü#@example.net', confirmationId: 'c1' };

describe('links', () => {
  it('are safe in a URL and read back whole', async () => {
    const link = await createLink('confirm', subject, issued);
    expect(link).toMatch(/^https:\/\/mail\.example\.com\/confirm\/[A-Za-z0-9_.-]+$/);
    const read = await readLink('confirm', link.split('/').at(-1) ?? '', plus(1));
    expect(read).toEqual({
      ok: true,
      link: { ...subject, campaignId: undefined, issuedAt: issued, expiresAt: plus(7 * 86_400) },
    });
  });

  it('confirm for seven days', async () => {
    const token = await createLinkToken('confirm', subject, issued);
    expect(await readLink('confirm', token, plus(7 * 86_400 - 1))).toMatchObject({ ok: true });
    expect(await readLink('confirm', token, plus(7 * 86_400))).toMatchObject({ ok: false, problem: 'expired' });
  });

  it('unsubscribe for ever', async () => {
    const token = await createLinkToken('unsubscribe', subject, issued);
    expect(await readLink('unsubscribe', token, plus(100 * 365 * 86_400))).toMatchObject({ ok: true });
  });

  it('of one purpose are worth nothing for the other', async () => {
    const token = await createLinkToken('unsubscribe', subject, issued);
    expect(await readLink('confirm', token, issued)).toEqual({ ok: false, problem: 'tampered' });
  });

  it('are refused when any one character differs, or is missing, or is too many', async () => {
    const token = await createLinkToken('confirm', subject, issued);
    const changed = [...token].map((character, index) => {
      const other = character === 'A' ? 'B' : 'A';
      return token.slice(0, index) + other + token.slice(index + 1);
    });
    for (const text of [...changed, token.slice(1), token.slice(0, -1), `${token}A`, `${token}.`, '', '.', 'x']) {
      expect(await readLink('confirm', text, issued)).toEqual({ ok: false, problem: 'tampered' });
    }
  });
});
