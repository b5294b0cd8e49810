import type { CampaignContent } from '../../../../shared/domain/content/block.ts';
import { draftCampaign } from '../../domain/campaign/draftCampaign.ts';
import { operatorContext } from '../context.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let modules: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../../shared/services/brand.ts')),
  ...(await import('../../../../shared/services/campaigns/previewCampaign.ts')),
  ...(await import('../../../../shared/services/campaigns/sendCampaign.ts')),
  ...(await import('../../../../shared/store/campaign/campaigns.ts')),
  ...(await import('../../../../shared/store/templates.ts')),
  ...(await import('../../../../shared/store/workspace/workspaces.ts')),
  templates: await import('../../../../shared/services/templates.ts'),
});

beforeAll(async () => {
  world = await startWorld();
  modules = await load();
  await modules.putDomain(world.workspaceId, 'example.com', new Date(), new Date());
});
afterAll(() => world.stop());

const context = () => operatorContext(world.workspaceId);
const set = (changes: Parameters<typeof modules.setBrand>[1]['changes']) => modules.setBrand(context(), { changes });

const content: CampaignContent = {
  variants: [
    {
      ...{ name: null, subject: 'Autumn', preheader: null, from: 'hello@example.com' },
      blocks: [{ type: 'button', label: 'See it', href: 'https://example.com/' }],
    },
  ],
};

async function newCampaign() {
  const draft = draftCampaign(world.workspaceId, new Date());
  await modules.addCampaign(draft, content);
  return draft.id;
}

const address = '1 Main Street\nSpringfield';

it('shows the brand in both parts of a campaign', async () => {
  const id = await newCampaign();
  await set({ color: '#8a1c6b', logoUrl: 'https://example.com/logo.png', address, links: ['https://instagram.com/a'] });
  const { html, text } = await modules.previewCampaign(context(), { id });
  expect(html).toContain('bgcolor="#8a1c6b"');
  expect(html).toContain('src="https://example.com/logo.png"');
  expect(html).toContain('1 Main Street<br>Springfield');
  expect(html).toMatch(/href="https:\/\/instagram\.com\/a"[^>]*>Instagram</);
  expect(text).toMatch(/1 Main Street\nSpringfield\nInstagram: https:\/\/instagram\.com\/a\nUnsubscribe/);
});

it('keeps what a change does not name, also of two changes at once', async () => {
  await Promise.all([set({ font: 'georgia' }), set({ width: 560 }), set({ background: '#eeeeee' })]);
  expect(await modules.showBrand(context())).toMatchObject({
    ...{ color: '#8a1c6b', font: 'georgia', width: 560, background: '#eeeeee', address },
  });
  expect(await set({ width: null })).toMatchObject({ width: null, font: 'georgia' });
});

it('refuses colours that cannot be read, and names every problem', async () => {
  const wrong = {
    color: '#ffcc00',
    text: '#cccccc',
    background: 'red',
    width: 100,
    logoUrl: 'http://example.com/a.png',
  };
  await expect(set({ ...wrong, address: 'a\n\nb', links: ['https://example.com', 'x'] })).rejects.toMatchObject({
    issues: ['color', 'background', 'text', 'width', 'logoUrl', 'address', 'links[1]'].map((path) =>
      expect.objectContaining({ path }),
    ),
  });
});

it('renders the templates again, so that a send reads nothing more', async () => {
  const button = { type: 'button', label: '{{label}}', href: 'https://example.com/' } as const;
  const made = await modules.templates.createTemplate(context(), {
    name: 'Order',
    subject: 'Order',
    content: [button],
  });
  const htmlOf = async () => (await modules.getNewestMessage(world.workspaceId, made.id))?.message.html;
  expect(await htmlOf()).toContain('bgcolor="#8a1c6b"');
  await set({ color: '#0b57b5' });
  expect(await htmlOf()).toContain('bgcolor="#0b57b5"');
  expect((await modules.templates.getTemplate(context(), { id: made.id })).version).toBe(1);
});

it('warns of a campaign without a postal address, or refuses it if the workspace says so', async () => {
  const id = await newCampaign();
  const dryRun = async () => (await modules.sendCampaign(context(), { id, dry_run: true })).output;
  expect(await dryRun()).toMatchObject({ warnings: [{ code: 'preheader' }] });
  await set({ address: null });
  expect(await dryRun()).toMatchObject({ warnings: [{ code: 'preheader' }, { code: 'postal_address' }] });
  await set({ requiresAddress: true });
  expect(await dryRun()).toMatchObject({
    would_send: false,
    blocked_reason: expect.stringContaining('postal address'),
  });
  await expect(modules.sendCampaign(context(), { id, dry_run: false })).rejects.toMatchObject({
    code: 'validation_error',
    details: { reason: 'no_postal_address' },
  });
});
