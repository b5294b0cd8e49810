import { randomUUID } from 'node:crypto';
import { operatorContext } from '../../shared/services/context.ts';
import { scan } from '../audit.ts';
import { call } from '../client.ts';
import { received } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  Object.assign(process.env, service.environment, { PUBLIC_URL: service.baseUrl });
  const [showLink, erase] = await Promise.all([
    import('../../../shared/services/preferences/showLink.ts'),
    import('../../../shared/services/rights/erase.ts'),
  ]);
  return { ...showLink, ...erase };
}

beforeAll(async () => {
  service = await startService();
  workspace = await newWorkspace(service);
  modules = await load();
});
afterAll(() => service.stop());

const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;
const post = (path: string, body: unknown) =>
  call({ ...service, apiKey: workspace.apiKey }, 'POST', `/api/v1/${path}`, { body });
const letter = (to: unknown, over: object = {}) => ({
  ...{ from: `hello@${workspace.domain}`, to, subject: 'S', unsubscribe: true },
  ...{ html: '<p>Hi. <a href="{{unsubscribe_url}}">Leave</a>, <a href="https://example.com/">read</a></p>' },
  ...{ text: 'Leave: {{ unsubscribe_url }}' },
  ...over,
});
const operator = () => operatorContext(workspace.workspaceId);

/** The link in the headers of the latest message to somebody. */
async function linkOf(email: string): Promise<string> {
  const { raw } = await received(service, email);
  const [, link = ''] = /^List-Unsubscribe: <([^>]+)>\r$/m.exec(raw.toString().replaceAll(/\r\n[ \t]+/g, ' ')) ?? [];
  return link;
}

const press = (link: string, language = 'en') =>
  fetch(link, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Accept-Language': language },
    body: 'List-Unsubscribe=One-Click',
  });

describe('unsubscribe: true', () => {
  it('writes one link of the recipient into headers and bodies, never tracked, and the same into every message', async () => {
    const email = someone();
    const sent = await post('emails', letter(`Ada <${email.toUpperCase()}>`));
    expect(sent.status).toBe(202);
    const { mail, raw } = await received(service, email.toUpperCase());
    const link = await linkOf(email.toUpperCase());
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/unsubscribe\/[\w-]{22}\.ws_\w{26}$/);
    expect(raw.toString()).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(mail.text).toContain(`Leave: ${link}`);
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.html).not.toContain('href="https://example.com/"');
    expect(await modules.showLeaveLink(operator(), { email })).toBe(link);
    expect(sent.body).not.toHaveProperty('unsubscribe_url');
  });

  it('leaves at once by a POST alone: whatever opens the link changes nothing', async () => {
    const email = someone();
    await post('emails', letter(email, { html: undefined }));
    const link = await linkOf(email);
    const page = await (await fetch(link)).text();
    expect(page).toContain(email.split('@')[0]);
    expect((await post('emails', letter(email))).status).toBe(202);
    expect((await press(link)).status).toBe(200);
    expect((await press(link)).status).toBe(200);
    expect(await post('emails', letter(email))).toMatchObject({
      status: 422,
      body: { error: { code: 'suppressed_recipient', details: { recipients: [{ email, reason: 'unsubscribe' }] } } },
    });
    const [start, rest] = link.split(/(?<=unsubscribe\/)/) as [string, string];
    for (const wrong of [`${start}A${rest.slice(1)}`, `${link}x`, `${start}.${workspace.workspaceId}`])
      expect((await press(wrong)).status).toBe(400);
  });

  it.each<[string, object, string[]]>([
    ['two recipients', { to: ['a@example.net', 'b@example.net'] }, ['needs one recipient']],
    ['a copy', { cc: 'b@example.net' }, ['needs one recipient']],
    [
      'a blind copy and a link of the caller',
      { bcc: ['b@example.net'], unsubscribe_url: 'https://example.com/u' },
      ['needs one recipient', 'excludes "unsubscribe_url"'],
    ],
  ])('is 422 with %s', async (_name, over, told) => {
    const answer = await post('emails', letter('a@example.net', over));
    expect(answer.status).toBe(422);
    expect(answer.body.error.details.issues).toEqual(
      told.map((message) => ({ path: 'unsubscribe', message: expect.stringContaining(message) })),
    );
  });

  it('holds for each email of a batch; and keeps nothing of who is refused', async () => {
    const [one, other, refused] = [someone(), someone(), someone()];
    await post('suppression', { email: refused });
    expect((await post('emails', letter(refused))).status).toBe(422);
    const batch = await post('emails/batch', [letter(one), letter(other), letter(someone(), { unsubscribe: false })]);
    expect(batch.status).toBe(202);
    expect(new Set([await linkOf(one), await linkOf(other)]).size).toBe(2);
    expect(await linkOf(one)).toBe(await modules.showLeaveLink(operator(), { email: one }));
    const links = (await scan(service)).filter(({ sk }) => sk === 'LEAVE').map((item) => JSON.stringify(item));
    expect(links.some((item) => item.includes(one))).toBe(true);
    expect(links.some((item) => item.includes(refused))).toBe(false);
  });

  it('makes one link of calls that meet', async () => {
    const email = someone();
    await Promise.all(Array.from({ length: 5 }, () => post('emails', letter(email))));
    const known = await Promise.all([1, 2, 3].map(() => modules.showLeaveLink(operator(), { email })));
    expect(new Set([...known, await linkOf(email)]).size).toBe(1);
  });

  it('of somebody who was erased leads to a page that says so and brings nothing back', async () => {
    const email = someone();
    await post('emails', letter(email));
    const link = await linkOf(email);
    await modules.erasePerson(operator(), { email });
    const answer = await press(link);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('Nothing is kept of you');
    const items = (await scan(service)).map((item) => JSON.stringify(item));
    expect(items.filter((item) => item.includes(email))).toEqual([]);
    expect(items.filter((item) => item.includes('erased-') && item.includes('#ADDRESS#'))).toEqual([]);
  });
});
