import { readNames } from '../../../../shared/contract/fieldNames.ts';
import { scheduleCampaignRequest } from '../../../../shared/contract/schemas/campaignSchedule.ts';

describe('scheduleCampaignRequest', () => {
  it.each(['dry_run', 'dryRun', 'test'])('refuses %s, and names the call that takes it', (name) => {
    const { issues } = readNames(scheduleCampaignRequest, { scheduled_at: '2026-12-20T10:00:00Z', [name]: true });
    expect(issues).toMatchObject([
      { path: name, text: { en: expect.stringContaining('`POST /campaigns/{id}/send`') } },
    ]);
  });
});
