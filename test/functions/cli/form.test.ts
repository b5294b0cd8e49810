import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mailroom, mailroomJson } from './mailroom.ts';

describe('form', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'mailroom-cli-'));
  });
  afterEach(() => rmSync(data, { recursive: true, force: true }));

  it('shows the address of the form and keeps the sites that may frame it', async () => {
    const { public_id } = await mailroomJson(['workspace', 'create', 'Acme', '--data', data]);
    const shown = await mailroomJson(['form', 'show', '--data', data]);
    expect(shown).toMatchObject({ object: 'form', origins: [] });
    expect(shown.url).toMatch(new RegExp(`/join/${public_id}$`));
    await mailroomJson(['form', 'allow', 'https://WWW.example.com/', '--data', data]);
    await mailroomJson(['form', 'allow', 'https://www.example.com', '--data', data]);
    const both = await mailroomJson(['form', 'allow', 'https://shop.example.com:8443', '--data', data]);
    expect(both.origins).toEqual(['https://www.example.com', 'https://shop.example.com:8443']);
    const one = await mailroomJson(['form', 'forbid', 'https://www.example.com', '--data', data]);
    expect(one.origins).toEqual(['https://shop.example.com:8443']);
  });

  it('takes questions of its own, and how the pages look', async () => {
    await mailroomJson(['workspace', 'create', 'Acme', '--data', data]);
    const questions = ['--field', 'city=Your city', '--field', 'size=Size: S | M | L'];
    const form = await mailroomJson(['form', 'set', ...questions, '--data', data]);
    expect(form.fields).toEqual([
      { name: 'city', label: 'Your city', choices: [] },
      { name: 'size', label: 'Size', choices: ['S', 'M', 'L'] },
    ]);
    expect((await mailroomJson(['form', 'set', '--field', '', '--data', data])).fields).toEqual([]);
    const pale = await mailroom(['brand', 'set', '--color', '#ffcc00', '--data', data]);
    expect([pale.code, pale.stderr]).toEqual([1, expect.stringContaining('contrast of 1.5 with white')]);
    const logo = join(data, 'logo.png');
    writeFileSync(logo, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    await mailroomJson(['brand', 'set', '--color', '#0b57b5', '--logo', logo, '--data', data]);
    const shown = await mailroomJson(['brand', 'show', '--data', data]);
    expect(shown).toMatchObject({ color: '#0b57b5', logo: { content_type: 'image/png', size: 8 } });
  });

  it.each(['*', 'https://*.example.com', 'http://www.example.com', 'https://a.example;script-src *'])(
    'refuses the origin %s',
    async (origin) => {
      const { code, stderr } = await mailroom(['form', 'allow', origin, '--data', join(data, 'never-made')]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('An origin is https://') });
    },
  );
});
