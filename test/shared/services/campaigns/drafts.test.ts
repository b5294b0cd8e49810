import type { CampaignContent } from '../../../../shared/domain/content/block.ts';
import { draftCampaign } from '../../domain/campaign/draftCampaign.ts';
import { operatorContext } from '../context.ts';
import { startWorld, type World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** An unfinished draft: without a subject, and with a button without an address. */
const unfinished: CampaignContent = {
  variants: [
    {
      name: null,
      subject: '',
      preheader: null,
      from: 'hello@example.com',
      blocks: [{ type: 'button', label: '', href: 'htt' }],
    },
  ],
};

it('refuses to send the copy of an unfinished draft, as it refuses the draft', async () => {
  const { addCampaign } = await import('../../../../shared/store/campaign/campaigns.ts');
  const { duplicateCampaign } = await import('../../../../shared/services/campaigns/drafts.ts');
  const { sendCampaign } = await import('../../../../shared/services/campaigns/sendCampaign.ts');
  const context = operatorContext(world.workspaceId);
  const draft = { ...draftCampaign(world.workspaceId, context.now), subject: '', revision: 7 };
  await addCampaign(draft, unfinished);
  const copy = await duplicateCampaign(context, { id: draft.id });
  for (const { id } of [draft, copy]) {
    await expect(sendCampaign(context, { id, dry_run: false })).rejects.toMatchObject({
      code: 'validation_error',
      issues: expect.arrayContaining([expect.objectContaining({ path: 'subject' })]),
    });
    const { output } = await sendCampaign(context, { id, dry_run: true });
    expect(output).toMatchObject({ would_send: false });
  }
});
