import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type TestService } from '../../acceptance/service.ts';
import { startCommands } from './mailroom.ts';

const commands = startCommands();
let service: TestService;
let workspace: { readonly id: string; readonly public_id: string };
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  commands.stop();
  await service.stop();
});
beforeEach(async () => {
  workspace = await commands.json(['workspace', 'create', 'Acme', '--data', service.dataDir]);
});

const words = (...own: string[]) => [...own, '--data', service.dataDir, '--workspace', workspace.id];
const json = (...own: string[]) => commands.json(words(...own));

describe('form', () => {
  it('shows the URL of the form, and stores the sites that may embed it', async () => {
    const shown = await json('form', 'show');
    expect(shown).toMatchObject({ object: 'form', origins: [] });
    expect(shown.url).toMatch(new RegExp(`/join/${workspace.public_id}$`));
    await json('form', 'allow', 'https://WWW.example.com/');
    await json('form', 'allow', 'https://www.example.com');
    const both = await json('form', 'allow', 'https://shop.example.com:8443');
    expect(both.origins).toEqual(['https://www.example.com', 'https://shop.example.com:8443']);
    const one = await json('form', 'forbid', 'https://www.example.com');
    expect(one.origins).toEqual(['https://shop.example.com:8443']);
  });

  it('stores questions, and the colour of the pages', async () => {
    const questions = ['--field', 'city=Your city', '--field', 'size=Size: S | M | L'];
    const form = await json('form', 'set', ...questions);
    expect(form.fields).toEqual([
      { name: 'city', label: 'Your city', choices: [] },
      { name: 'size', label: 'Size', choices: ['S', 'M', 'L'] },
    ]);
    expect((await json('form', 'set', '--field', '')).fields).toEqual([]);
    const pale = await commands.run(words('brand', 'set', '--color', '#ffcc00'));
    expect([pale.code, pale.stderr]).toEqual([1, expect.stringContaining('contrast of 1.5 with white')]);
    const logo = join(service.dataDir, 'logo.png');
    writeFileSync(logo, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    await json('brand', 'set', '--color', '#0b57b5', '--logo', logo);
    const shown = await json('brand', 'show');
    expect(shown).toMatchObject({ color: '#0b57b5', logo: { content_type: 'image/png', size: 8 } });
  });

  it.each(['*', 'https://*.example.com', 'http://www.example.com', 'https://a.example;script-src *'])(
    'refuses the origin %s',
    async (origin) => {
      const { code, stderr } = await commands.run([
        'form',
        'allow',
        origin,
        '--data',
        join(service.dataDir, 'never-made'),
      ]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('An origin is https://') });
    },
  );
});
