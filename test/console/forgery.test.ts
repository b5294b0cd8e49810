import { consolePages } from '../../shared/console/pages.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { newWorkspace } from '../acceptance/workspace.ts';
import { mailroomJson } from '../functions/cli/mailroom.ts';
import { signInLink, type Visitor, visitorOf, visitorWith } from './visitor.ts';

let service: TestService;
let owner: Visitor;
let place: string;

beforeAll(async () => {
  service = await startService();
  Object.assign(process.env, service.environment);
  place = `/console/${service.workspaceId}`;
  owner = await visitorOf(service);
});
afterAll(() => service.stop());

describe('the console', () => {
  it('shows nobody anything who is not signed in', async () => {
    const stranger = visitorWith(service, '');
    for (const path of ['/console', place, `${place}/people`, '/console/ws_1/nothing']) {
      const { status, text } = await stranger.get(path);
      expect([path, status]).toEqual([path, 401]);
      expect(text).not.toContain('Development');
    }
  });

  it('sends its pages with a policy that lets nothing in but its own files, and keeps them nowhere', async () => {
    const { headers } = await owner.get(place);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('sets a cookie that no script reads and no other site sends along', async () => {
    const link = new URL(await signInLink(service));
    const token = link.searchParams.get('token') ?? '';
    const { headers } = await visitorWith(service, '').post(link.pathname, { token });
    expect(headers.get('set-cookie')).toMatch(/^mailroom-\d+=[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/);
  });

  it('signs in by a link once, and opening the link does not use it up', async () => {
    const link = new URL(await signInLink(service));
    const token = link.searchParams.get('token') ?? '';
    const stranger = visitorWith(service, '');
    for (let time = 0; time < 3; time += 1) expect((await stranger.get(link.pathname + link.search)).status).toBe(200);
    const first = await stranger.post(link.pathname, { token });
    const replayed = await stranger.post(link.pathname, { token });
    expect([first.status, replayed.status, replayed.headers.get('set-cookie')]).toEqual([303, 410, null]);
  });

  it.each([['https://elsewhere.example'], ['null'], [''], ['http://127.0.0.1:1']])(
    'does nothing for a form with a genuine token from the origin %j',
    async (origin) => {
      const form_token = await owner.formToken(place);
      const { status } = await owner.post('/console/language', { form_token, language: 'fr' }, { origin });
      expect(status).toBe(403);
      const link = new URL(await signInLink(service));
      const token = link.searchParams.get('token') ?? '';
      expect((await owner.post(link.pathname, { token }, { origin })).status).toBe(403);
    },
  );

  it('does nothing without a token, or with that of another session, and loses nothing that was written', async () => {
    const other = await visitorOf(service);
    for (const form_token of ['', 'x', await other.formToken(place)]) {
      const answer = await owner.post(`${place}/resume`, { form_token, note: 'a long "text" <b>' });
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('a long &quot;text&quot; &lt;b&gt;');
      expect(answer.text).toContain(`name="form_token" value="${await owner.formToken(place)}"`);
    }
  });

  it('keeps what was written when the session ended meanwhile', async () => {
    const form_token = await owner.formToken(place);
    const answer = await visitorWith(service, '').post(`${place}/resume`, { form_token, note: 'a long text' });
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('value="a long text"');
    expect(answer.text).not.toContain(form_token);
  });

  it('takes no cookie any more after the sign-out of its session, and leaves other sessions open', async () => {
    const [own, other] = [await visitorOf(service), await visitorOf(service)];
    const signedOut = await own.post('/console/sign-out', { form_token: await own.formToken(place) });
    expect([signedOut.status, (await own.get(place)).status, (await other.get(place)).status]).toEqual([303, 401, 200]);
  });

  it('opens another workspace for nobody whose link was for one', async () => {
    const { workspaceId } = await newWorkspace(service);
    const guest = await visitorOf(service, { workspaceId });
    expect((await guest.get('/console')).headers.get('location')).toBe(`/console/${workspaceId}`);
    expect((await guest.get(`/console/${workspaceId}`)).status).toBe(200);
    for (const path of [place, `${place}/people`, `${place}/settings`])
      expect((await guest.get(path)).status).toBe(404);
    const form_token = await guest.formToken(`/console/${workspaceId}`);
    expect((await guest.post(`${place}/resume`, { form_token })).status).toBe(404);
  });

  it('lets a viewer look, and refuses what they post', async () => {
    const viewer = await visitorOf(service, { role: 'viewer' });
    const form_token = await viewer.formToken(place);
    const answer = await viewer.post(`${place}/resume`, { form_token });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('Only an owner of all workspaces may do this');
  });

  it('never leads elsewhere, whatever a form says', async () => {
    const form_token = await owner.formToken(place);
    for (const back of [
      'https://elsewhere.example',
      '//elsewhere.example',
      '/console//../x?y',
      'javascript:alert(1)',
    ]) {
      const { headers } = await owner.post('/console/language', { form_token, language: 'en', back });
      expect(headers.get('location')).toMatch(/^\/console(\/|$)/);
    }
  });

  it('is in the language that was chosen', async () => {
    const form_token = await owner.formToken(place);
    const chosen = await owner.post('/console/language', { form_token, language: 'fr', back: place });
    expect(chosen.headers.get('location')).toBe(place);
    const french = visitorWith(service, `${owner.cookie}; ${chosen.headers.get('set-cookie')?.split(';')[0]}`);
    expect((await french.get(place)).text).toContain('Vue d’ensemble');
  });

  /** The paths of the style sheets and scripts of a page, and of the modules that those import. */
  async function filesOf(page: string): Promise<string[]> {
    const { text } = await owner.get(page);
    const found = new Set(
      [...text.matchAll(/(?:href|src)="(\/console\/assets\/[^"]+)"/g)].map(([, path = '']) => path),
    );
    for (const path of found) {
      const source = path.endsWith('.js') ? (await owner.get(path)).text : '';
      for (const [, specifier = ''] of source.matchAll(/^import [^;]*'(\.[^']+)';$/gm)) {
        found.add(new URL(specifier, `${service.baseUrl}${path}`).pathname);
      }
    }
    return [...found];
  }

  it('has its style sheets and scripts under addresses that may be kept for ever', async () => {
    const files = await filesOf(place);
    expect(files.map((path) => path.split('/').at(-1)).sort()).toEqual([
      'console.css',
      'console.js',
      'dom.js',
      'times.js',
    ]);
    for (const file of files) {
      const { status, headers } = await visitorWith(service, '').get(file);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
    const [first = ''] = files;
    for (const path of ['/console/assets/0000.js', first.replace(/[^/]+$/, 'no.js'), first.replace(/[^/]+$/, '')]) {
      expect((await owner.get(path)).status).toBe(404);
    }
  });

  it('comes to a browser under 80 kB with all its files, compressed', async () => {
    const compressed = async (path: string) => {
      const headers = { cookie: owner.cookie, 'accept-encoding': 'gzip' };
      const answer = await fetch(`${service.baseUrl}${path}`, { headers });
      await answer.arrayBuffer();
      return Number(answer.headers.get('content-length'));
    };
    const sizes = await Promise.all([place, ...(await filesOf(place))].map(compressed));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(80_000);
  });

  it('gives access, shows what was done and ends every session from the command line', async () => {
    const run = (...words: string[]) => mailroomJson([...words, '--data', service.dataDir]);
    const made = await run('operator', 'link', '--role', 'editor', '--name', 'Grace', '-w', service.workspaceId);
    expect(made).toMatchObject({ name: 'Grace', role: 'editor', workspace_id: service.workspaceId });
    const link = new URL(made.url);
    const token = link.searchParams.get('token') ?? '';
    const { headers } = await visitorWith(service, '').post(link.pathname, { token });
    const grace = visitorWith(service, headers.get('set-cookie')?.split(';')[0] ?? '');
    expect((await grace.get(place)).text).toContain('Grace');
    const own = await run('audit', 'list', '-w', service.workspaceId);
    expect(own.data[0]).toMatchObject({ action: 'operator.sign_in', by: 'Grace', door: 'console', outcome: 'done' });
    const all = await run('audit', 'list', '--deployment', '--limit', '1');
    expect(all.data).toEqual([expect.objectContaining({ action: 'operator.link', subject: 'Grace (editor)' })]);
    expect(all.data[0]).toMatchObject({ door: 'command_line', role: 'owner' });
    await run('operator', 'sign-out');
    for (const visitor of [grace, owner]) expect((await visitor.get(place)).status).toBe(401);
  });
});

describe('a page that is there for one act', () => {
  const acts = consolePages.filter(({ needs }) => needs !== undefined);
  const opened = async (visitor: Visitor, needs: string) => {
    const paths = acts.filter((page) => page.needs === needs).map(({ path }) => path.replaceAll(/\{\w+\}/g, 'x'));
    return Promise.all(paths.map(async (path) => (await visitor.get(`${place}${path}`)).status));
  };

  it('is not opened by who may not do it, whatever it is about', async () => {
    const [viewer, editor] = await Promise.all(
      (['viewer', 'editor'] as const).map((role) => visitorOf(service, { role })),
    );
    if (!viewer || !editor) throw new Error('Nobody came.');
    expect(acts.length).toBeGreaterThan(20);
    expect(new Set(await opened(viewer, 'change'))).toEqual(new Set([403]));
    expect(new Set(await opened(viewer, 'own'))).toEqual(new Set([403]));
    expect(new Set(await opened(editor, 'own'))).toEqual(new Set([403]));
    expect(await opened(editor, 'change')).not.toContain(403);
  });
});
