import { type Answer, call, eventually } from '../client.ts';
import { promisedEventOf, startReceiver } from '../receiver.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';
import { draft, show, subscribe, untilSent } from './campaign.ts';

let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  workspace = await newWorkspace(service);
  await subscribe(api(), ['ada@example.net', 'grace@example.net', 'linus@example.net', 'dennis@example.net']);
});

const api = () => ({ ...service, apiKey: workspace.apiKey });
const ask = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
  call(api(), method, `/api/v1${path}`, { ...(body !== undefined && { body }), headers });
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
const schedule = (id: string, body: object, headers = {}) => ask('POST', `/campaigns/${id}/schedule`, body, headers);
const pathsOf = ({ body }: Answer) => body.error.details.issues.map(({ path }: { path: string }) => path);

/** While its test waits for the decision, a campaign is being sent. */
const ab_test = { variants: [{}, { subject: 'B' }], test_share: 0.1, decide_by: 'opens', wait_hours: 72 };

type State = 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'archived';

async function campaignIn(state: State): Promise<string> {
  const id = await draft(api(), state === 'sending' || state === 'paused' ? { ab_test } : {});
  const done = async (answer: Promise<Answer>) => expect((await answer).status).toBeLessThan(300);
  if (state === 'scheduled') await done(schedule(id, { scheduled_at: hours(24) }));
  if (['sending', 'paused', 'sent'].includes(state)) await done(ask('POST', `/campaigns/${id}/send`));
  if (state === 'paused') await done(ask('POST', `/campaigns/${id}/pause`));
  if (state === 'sent') await untilSent(api(), id);
  if (state === 'archived') await done(ask('POST', `/campaigns/${id}/archive`));
  return id;
}

const stateOf = async (id: string): Promise<string> => {
  const { status, progress } = await show(api(), id);
  return status === 'sending' && progress.paused ? 'paused' : status;
};

const verbs: Readonly<Record<string, (id: string) => Promise<Answer>>> = {
  update: (id) => ask('PATCH', `/campaigns/${id}`, { name: 'Changed' }),
  delete: (id) => ask('DELETE', `/campaigns/${id}`),
  schedule: (id) => schedule(id, { scheduled_at: hours(48) }),
  ...Object.fromEntries(
    ['unschedule', 'pause', 'resume', 'cancel', 'archive', 'duplicate'].map((verb) => [
      verb,
      (id: string) => ask('POST', `/campaigns/${id}/${verb}`),
    ]),
  ),
};

/** The state after each verb that a state allows; any other is refused and changes nothing. */
const allowed: Readonly<Record<State, Readonly<Record<string, string>>>> = {
  draft: {
    ...{ update: 'draft', delete: 'gone', schedule: 'scheduled' },
    ...{ unschedule: 'draft', archive: 'archived', duplicate: 'draft' },
  },
  scheduled: { schedule: 'scheduled', unschedule: 'draft', duplicate: 'scheduled' },
  sending: { pause: 'paused', resume: 'sending', cancel: 'sent', duplicate: 'sending' },
  paused: { pause: 'paused', resume: 'sending', cancel: 'sent', duplicate: 'paused' },
  sent: { archive: 'archived', duplicate: 'sent' },
  archived: { archive: 'archived', duplicate: 'archived' },
};

describe('each call about a campaign', () => {
  it.each(Object.keys(allowed) as State[])(
    'is done or refused when it is %s',
    async (state) => {
      for (const [verb, act] of Object.entries(verbs)) {
        const id = await campaignIn(state);
        const before = await show(api(), id);
        const answer = await act(id);
        const after = allowed[state][verb];
        if (after === undefined) {
          const { name, error } = answer.body;
          expect([verb, answer.status, name, error?.details.status]).toEqual([verb, 409, 'conflict', before.status]);
          const { name: kept, revision, scheduledAt } = await show(api(), id);
          expect([kept, revision, scheduledAt]).toEqual([before.name, before.revision, before.scheduledAt]);
          expect(await stateOf(id)).toBe(state);
          continue;
        }
        expect([verb, answer.status]).toEqual([verb, verb === 'duplicate' ? 201 : 200]);
        if (after === 'gone') expect((await ask('GET', `/campaigns/${id}`)).status).toBe(404);
        // Who waited is skipped, then it has ended.
        else if (verb === 'cancel') expect((await untilSent(api(), id)).progress.skipped).toBeGreaterThanOrEqual(2);
        else expect([verb, await stateOf(id)]).toEqual([verb, after]);
      }
    },
    180_000,
  );

  it('that was done already is done again without harm', async () => {
    const id = await campaignIn('scheduled');
    for (const verb of ['unschedule', 'unschedule']) expect((await verbs[verb]?.(id))?.body.status).toBe('draft');
    const other = await campaignIn('sending');
    const [first, second] = [await verbs.pause?.(other), await verbs.pause?.(other)];
    expect([first?.status, second?.status, second?.body.updatedAt]).toEqual([200, 200, first?.body.updatedAt]);
    expect((await verbs.cancel?.(other))?.status).toBe(200);
    await untilSent(api(), other);
    expect((await verbs.pause?.(other))?.body.error.details.status).toBe('sent');
    expect((await verbs.resume?.(other))?.status).toBe(409);
  });

  it('that reads no body refuses one, and its query', async () => {
    const id = await campaignIn('sending');
    for (const verb of ['unschedule', 'pause', 'resume', 'cancel']) {
      const answer = await ask('POST', `/campaigns/${id}/${verb}`, { dry_run: true });
      expect([verb, answer.status, pathsOf(answer)]).toEqual([verb, 422, ['dry_run']]);
      expect((await ask('POST', `/campaigns/${id}/${verb}?dry_run=true`)).status).toBe(422);
    }
    expect(await stateOf(id)).toBe('sending');
  });

  it('changes nothing of another workspace, nor without the scope', async () => {
    const id = await campaignIn('scheduled');
    const before = await show(api(), id);
    const [other, reader] = [
      await newWorkspace(service),
      await newWorkspace(service, { scopes: ['campaigns:read', 'emails:send', 'subscribers:write'] }),
    ];
    for (const verb of ['schedule', 'unschedule', 'pause', 'resume', 'cancel']) {
      const body = verb === 'schedule' ? { body: { scheduled_at: hours(30) } } : {};
      const path = `/api/v1/campaigns/${id}/${verb}`;
      const theirs = await call(api(), 'POST', path, { ...body, key: other.apiKey });
      expect([verb, theirs.status]).toEqual([verb, 404]);
      const lacking = await call(api(), 'POST', path, { ...body, key: reader.apiKey });
      expect([verb, lacking.status, lacking.body.error.details.required]).toEqual([verb, 403, 'campaigns:write']);
    }
    expect(await show(api(), id)).toEqual(before);
  });
});

describe('a schedule', () => {
  it('names the moment in UTC, the target and how many people it reaches now', async () => {
    const id = await draft(api());
    const at = hours(24);
    const { status, body } = await schedule(id, { scheduled_at: at });
    const target = { segment: null, topic: null };
    expect([status, body]).toEqual([
      200,
      { id, object: 'campaign', status: 'scheduled', scheduledAt: at, target, recipients: 4 },
    ]);
    expect(await show(api(), id)).toMatchObject({ status: 'scheduled', scheduledAt: at, schedule_failure: null });
  });

  it('is a time on the clocks of a zone', async () => {
    const id = await draft(api());
    const day = hours(24 * 10).slice(0, 10);
    const tokyo = await schedule(id, { scheduled_at: `${day}T09:00`, time_zone: 'Asia/Tokyo' });
    expect(tokyo.body.scheduledAt).toBe(`${day}T00:00:00.000Z`);
    const moved = await schedule(id, { scheduled_at: `${day} 09:30:00`, time_zone: 'Asia/Tokyo' });
    expect([moved.status, moved.body.scheduledAt]).toEqual([200, `${day}T00:30:00.000Z`]);
  });

  it('is refused at an hour that clocks skip or show twice', async () => {
    const id = await draft(api());
    // The next changes of the clocks in Paris: the last Sundays of March and October, at 01:00 UTC.
    const lastSunday = (month: number): string => {
      const day = (year: number) => {
        const last = new Date(Date.UTC(year, month, 0));
        return new Date(last.getTime() - last.getUTCDay() * 86_400_000);
      };
      const year = new Date().getUTCFullYear();
      const at = day(year).getTime() > Date.now() + 2 * 86_400_000 ? day(year) : day(year + 1);
      return at.toISOString().slice(0, 10);
    };
    for (const [month, words] of [
      [3, 'does not exist'],
      [10, 'twice'],
    ] as const) {
      const answer = await schedule(id, { scheduled_at: `${lastSunday(month)}T02:30`, time_zone: 'Europe/Paris' });
      expect([answer.status, pathsOf(answer)]).toEqual([422, ['scheduled_at']]);
      expect(answer.body.message).toContain(words);
    }
  });

  it('is refused when it is no certain moment, too near or too far, or more than it takes', async () => {
    const id = await draft(api());
    const refusals: [object, string[]][] = [
      [{}, ['scheduled_at']],
      [{ scheduled_at: null }, ['scheduled_at']],
      [{ scheduled_at: 'tomorrow' }, ['scheduled_at']],
      [{ scheduled_at: '2030-01-01T09:00' }, ['scheduled_at']],
      [{ scheduled_at: '2030-02-30T09:00:00Z' }, ['scheduled_at']],
      [{ scheduled_at: hours(24), time_zone: 'Europe/Paris' }, ['scheduled_at']],
      [{ scheduled_at: '2030-01-01T09:00', time_zone: 'CET' }, ['time_zone']],
      [{ scheduled_at: '2030-01-01T09:00', time_zone: '+01:00' }, ['time_zone']],
      [{ scheduled_at: hours(0) }, ['scheduled_at']],
      [{ scheduled_at: hours(-24) }, ['scheduled_at']],
      [{ scheduled_at: hours(24 * 366 + 1) }, ['scheduled_at']],
      [{ scheduledAt: hours(24) }, ['scheduledAt', 'scheduled_at']],
      [{ scheduled_at: hours(24), dry_run: true }, ['dry_run']],
      [{ scheduled_at: hours(24), to: ['ada@example.net'] }, ['to']],
      [{ scheduled_at: hours(24), segment_id: null }, ['segment_id']],
      [{ scheduled_at: hours(24), note: 'x' }, ['note']],
    ];
    for (const [body, paths] of refusals) {
      const answer = await schedule(id, body);
      expect([body, answer.status, answer.body.error?.details.issues && pathsOf(answer)]).toEqual([body, 422, paths]);
    }
    expect((await ask('POST', `/campaigns/${id}/schedule?dry_run=true`, { scheduled_at: hours(24) })).status).toBe(422);
    expect((await schedule(id, { scheduled_at: hours(24 * 366 - 1) })).status).toBe(200);
  });

  it('is refused as a send would be', async () => {
    const segment = (await ask('POST', '/segments', { name: 'Nobody', rule: { tag: 'nobody' } })).body;
    const empty = await schedule(await draft(api(), { segment_id: segment.id }), { scheduled_at: hours(24) });
    expect([empty.status, empty.body.error.details.reason]).toEqual([422, 'empty_audience']);
    const small = await newWorkspace(service);
    const place = { ...service, apiKey: small.apiKey };
    await subscribe(place, ['ada@example.net']);
    const id = await draft(place);
    Object.assign(process.env, service.environment);
    const { suspend } = await import('../../../shared/store/workspace/workspaces.ts');
    await suspend(small.workspaceId, { since: new Date().toISOString(), bounceRate: 0.2, complaintRate: 0 });
    const path = `/api/v1/campaigns/${id}/schedule`;
    const suspended = await call(place, 'POST', path, { body: { scheduled_at: hours(24) } });
    expect([suspended.status, suspended.body.error.details.reason]).toEqual([422, 'reputation_blocked']);
  });

  it('is refused for another revision, also to move it', async () => {
    const id = await draft(api());
    await ask('PATCH', `/campaigns/${id}`, { name: 'Changed' });
    const at = hours(24);
    expect((await schedule(id, { scheduled_at: at, revision: 0 })).status).toBe(409);
    expect((await schedule(id, { scheduled_at: at, revision: 1 })).status).toBe(200);
    expect((await schedule(id, { scheduled_at: hours(30), revision: 0 })).status).toBe(409);
    expect((await show(api(), id)).scheduledAt).toBe(at);
  });

  it('of two calls at different times is one of them', async () => {
    const id = await draft(api());
    const answers = await Promise.all([24, 25, 26, 27].map((count) => schedule(id, { scheduled_at: hours(count) })));
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.scheduledAt);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(made).toContain((await show(api(), id)).scheduledAt);
  });

  it('is made once under an Idempotency-Key, and its answer is repeated', async () => {
    const id = await draft(api());
    const headers = { 'Idempotency-Key': 'schedule' };
    const body = { scheduled_at: hours(24) };
    const first = await schedule(id, body, headers);
    await ask('POST', `/campaigns/${id}/unschedule`);
    const again = await schedule(id, body, headers);
    expect([again.status, again.headers.get('Idempotent-Replay'), again.body]).toEqual([200, 'true', first.body]);
    expect((await show(api(), id)).status).toBe('draft');
    expect((await schedule(id, { scheduled_at: hours(25) }, headers)).body.name).toBe('idempotency_key_reused');
  });

  it('that is refused when its time has come says why, until the next', async () => {
    const id = await draft(api());
    const { body } = await schedule(id, { scheduled_at: hours(24) });
    for (const name of ['ada', 'grace', 'linus', 'dennis']) await ask('DELETE', `/subscribers/${name}@example.net`);
    Object.assign(process.env, service.environment, { POWERTOOLS_LOG_LEVEL: 'SILENT' });
    const { sendScheduledCampaign } = await import('../../../shared/services/campaigns/scheduleCampaign.ts');
    const message = { kind: 'fire' as const, workspace_id: workspace.workspaceId, campaign_id: id };
    await sendScheduledCampaign({ ...message, scheduled_at: body.scheduledAt }, new Date());
    const failure = { code: 'validation_error', message: expect.stringContaining('audience'), at: expect.any(String) };
    expect(await show(api(), id)).toMatchObject({ status: 'draft', scheduledAt: null, schedule_failure: failure });
    const french = await ask('GET', `/campaigns/${id}`, undefined, { 'Accept-Language': 'fr' });
    expect(french.body.schedule_failure.message).toContain('Personne');
    const copy = await ask('POST', `/campaigns/${id}/duplicate`);
    expect(copy.body.schedule_failure).toBeNull();
    expect((await ask('PATCH', `/campaigns/${id}`, { name: 'Next' })).body.schedule_failure).toMatchObject(failure);
    await subscribe(api(), ['barbara@example.net']);
    await schedule(id, { scheduled_at: hours(24) });
    expect(await show(api(), id)).toMatchObject({ status: 'scheduled', schedule_failure: null });
  });
});

it('the audit log names the key that steered a campaign', async () => {
  const id = await campaignIn('paused');
  await verbs.resume?.(id);
  await verbs.cancel?.(id);
  await verbs.schedule?.(id);
  const other = await campaignIn('scheduled');
  await verbs.unschedule?.(other);
  const { pageOfAudit } = await import('../../../shared/store/audit.ts');
  const { entries } = await pageOfAudit(workspace.workspaceId, { limit: 5, after: undefined });
  const entry = { by: expect.stringMatching(/^Test \(….{4}\)$/), role: 'key', door: 'api', outcome: 'done' };
  expect(entries).toEqual([
    expect.objectContaining({ ...entry, action: 'campaign.unschedule', subject: other }),
    expect.objectContaining({ ...entry, action: 'campaign.schedule', subject: other }),
    expect.objectContaining({ ...entry, action: 'campaign.cancel', subject: id }),
    expect.objectContaining({ ...entry, action: 'campaign.resume', subject: id }),
    expect.objectContaining({ ...entry, action: 'campaign.pause', subject: id }),
  ]);
});

describe('webhooks', () => {
  it('are told of the start and the end of a campaign, each once, and of a canceled one not that it is complete', async () => {
    const receiver = await startReceiver();
    try {
      const types = ['campaign.started', 'campaign.completed', 'campaign.canceled', 'email.sent', 'email.delivered'];
      await ask('POST', '/webhooks', { url: receiver.url, events: types });
      const [sent, canceled] = [await draft(api()), await draft(api(), { ab_test })];
      await ask('POST', `/campaigns/${canceled}/send`);
      await ask('POST', `/campaigns/${canceled}/cancel`);
      await untilSent(api(), canceled);
      await ask('POST', `/campaigns/${sent}/send`);
      await untilSent(api(), sent);
      const told = () => receiver.requests.map(promisedEventOf);
      const about = (id: string) => told().filter(({ data }) => data.id === id);
      await eventually(async () => about(sent).length >= 2 && about(canceled).length >= 2);
      // The messages of the campaign, by the events of SES.
      await eventually(async () =>
        ['email.sent', 'email.delivered'].every(
          (type) => told().filter((event) => event.type === type && event.data.campaign_id === sent).length === 4,
        ),
      );
      const typesOf = (id: string) =>
        about(id)
          .map(({ type }) => type)
          .sort();
      expect(typesOf(sent)).toEqual(['campaign.completed', 'campaign.started']);
      expect(typesOf(canceled)).toEqual(['campaign.canceled', 'campaign.started']);
      const completed = about(sent).find(({ type }) => type === 'campaign.completed');
      expect(completed?.data).toMatchObject({ status: 'sent', progress: { queued: 4, sent: 4, waiting: 0 } });
    } finally {
      await receiver.stop();
    }
  });
});
