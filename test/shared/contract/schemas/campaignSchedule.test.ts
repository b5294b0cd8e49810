import { issuesOf } from '../../../../shared/contract/errors.ts';
import { readNames } from '../../../../shared/contract/fieldNames.ts';
import { scheduleCampaignRequest } from '../../../../shared/contract/schemas/campaignSchedule.ts';

describe('scheduleCampaignRequest', () => {
  it.each(['dry_run', 'dryRun', 'test'])('refuses %s, and names the call that takes it', (name) => {
    const { issues } = readNames(scheduleCampaignRequest, { scheduled_at: '2026-12-20T10:00:00Z', [name]: true });
    expect(issues).toMatchObject([
      { path: name, text: { en: expect.stringContaining('`POST /campaigns/{id}/send`') } },
    ]);
  });

  it.each([
    ['2026-12-20T10:00', undefined, 'has no offset: add one, .* "time_zone"'],
    ['2026-12-20 10:00', undefined, 'has no offset: add one, .* "time_zone"'],
    ['in 1 min', undefined, 'must be a date and time with a time zone'],
    ['2026-02-30T10:00', undefined, 'must be a date and time with a time zone'],
    ['2026-12-20T10:00Z', 'Europe/Paris', 'without an offset'],
  ])('says of %s with the zone %s what is wrong with it', (scheduled_at, time_zone, reason) => {
    const { error } = scheduleCampaignRequest.safeParse({ scheduled_at, time_zone }, { reportInput: true });
    expect(error && issuesOf(error)).toMatchObject([
      { path: 'scheduled_at', text: { en: expect.stringMatching(reason) } },
    ]);
  });
});
