import { mkdtempSync, rmSync } from 'node:fs';
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

  it.each(['*', 'https://*.example.com', 'http://www.example.com', 'https://a.example;script-src *'])(
    'refuses the origin %s',
    async (origin) => {
      const { code, stderr } = await mailroom(['form', 'allow', origin, '--data', join(data, 'never-made')]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('An origin is https://') });
    },
  );
});
