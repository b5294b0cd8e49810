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
  it('are URL-safe and can be read back', async () => {
    const link = await createLink('confirm', subject, issued);
    expect(link).toMatch(/^https:\/\/mail\.example\.com\/confirm\/[A-Za-z0-9_.-]+$/);
    const read = await readLink('confirm', link.split('/').at(-1) ?? '', plus(1));
    expect(read).toEqual({
      ok: true,
      link: { ...subject, campaignId: undefined, issuedAt: issued, expiresAt: plus(7 * 86_400) },
    });
  });

  it('hold no address in clear, nor in base64, and are the same for the same subject and time', async () => {
    const someone = { workspaceId: 'ws_1', email: 'grace.hopper@example.net', campaignId: 'camp_1' };
    const token = await createLinkToken('unsubscribe', someone, issued);
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
    for (const text of [token, Buffer.from(token, 'base64url').toString('latin1')])
      expect(text).not.toMatch(/grace|ws_1/);
    expect(await createLinkToken('unsubscribe', someone, issued)).toBe(token);
    expect((await createLinkToken('unsubscribe', someone, plus(1))).slice(0, 16)).not.toBe(token.slice(0, 16));
  });

  it('that an earlier release signed go on working', async () => {
    const { hkdfSync, createHmac } = await import('node:crypto');
    const key = Buffer.from(hkdfSync('sha256', 'a'.repeat(43), 'mailroom', 'links', 32));
    const content = ['ws_1', 'ada@example.net', 1_795_168_800, null, null, 'camp_1', 2, 3];
    const payload = Buffer.from(JSON.stringify(content)).toString('base64url');
    const signature = createHmac('sha256', key).update(`unsubscribe.${payload}`).digest('base64url');
    expect(await readLink('unsubscribe', `${payload}.${signature}`, plus(1))).toMatchObject({
      ok: true,
      link: { email: 'ada@example.net', campaignId: 'camp_1', listPosition: { chunk: 2, position: 3 } },
    });
    expect(await readLink('confirm', `${payload}.${signature}`, plus(1))).toEqual({ ok: false, problem: 'tampered' });
  });

  it('to confirm are valid for seven days', async () => {
    const token = await createLinkToken('confirm', subject, issued);
    expect(await readLink('confirm', token, plus(7 * 86_400 - 1))).toMatchObject({ ok: true });
    expect(await readLink('confirm', token, plus(7 * 86_400))).toMatchObject({ ok: false, problem: 'expired' });
  });

  it('to unsubscribe never expire', async () => {
    const token = await createLinkToken('unsubscribe', subject, issued);
    expect(await readLink('unsubscribe', token, plus(100 * 365 * 86_400))).toMatchObject({ ok: true });
  });

  it('of one purpose are invalid for the other', async () => {
    const token = await createLinkToken('unsubscribe', subject, issued);
    expect(await readLink('confirm', token, issued)).toEqual({ ok: false, problem: 'tampered' });
  });

  it('are refused when one character is changed, missing or added', async () => {
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
