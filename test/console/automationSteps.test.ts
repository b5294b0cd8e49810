import { operatorContext } from '../shared/services/context.ts';
import { automationDesk, hostile, line, wordsOf } from './automationDesk.ts';

const { api, automationOf, configOf, get, linesOf, post, read, service, workspace } = automationDesk();

describe('a new step', () => {
  it('is chosen by its type, and put where it was asked for', async () => {
    const id = await automationOf();
    const { text } = await get(`/automations/${id}`);
    expect(text).toContain(`/automations/${id}/steps?after=hello"`);
    const choice = await get(`/automations/${id}/steps?after=hello`);
    expect(choice.text.match(/type=\w+/g)).toEqual(
      ['send_email', 'delay', 'wait_for_event', 'condition', 'subscriber_update', 'webhook', 'exit'].map(
        (type) => `type=${type}`,
      ),
    );
    const form = await get(`/automations/${id}/steps?after=hello&type=delay`);
    expect(form.text).toContain('name="version" value="1"');
    expect(form.text).toMatch(/<option value="end" selected>/);
    const fields = { version: '1', type: 'delay', after: 'hello', branch: 'default', key: 'rest', way: 'duration' };
    const answer = await post(`/automations/${id}/steps`, {
      ...fields,
      duration: '3',
      'duration.unit': 'day',
      'to.default': 'end',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/done=saved#step-rest$/),
    ]);
    expect(await configOf(id, 'rest')).toEqual({ duration: '3 days' });
    expect(await linesOf(id)).toEqual(['start default hello', 'hello default rest', 'rest default end']);
  });

  const after = { version: '1', after: 'hello', branch: 'default', key: 'new' };
  it.each([
    [
      'send_email',
      {
        content: 'written',
        subject: 'Hi {{contact.firstName|there}}',
        html: '<p>a</p>\r\n<p>b</p>',
        text: '',
        'track.clicks': 'yes',
        late: 'never',
        'to.default': 'end',
      },
      {
        subject: 'Hi {{contact.firstName|there}}',
        html: '<p>a</p>\n<p>b</p>',
        track: { clicks: true },
        max_delay: null,
      },
    ],
    [
      'delay',
      {
        way: 'until',
        duration: '',
        'until.time': '09:00',
        'until.zone': 'Europe/Paris',
        'until.weekdays': ['monday', 'friday'],
        'to.default': 'end',
      },
      { until: { time: '09:00', zone: 'Europe/Paris', weekdays: ['monday', 'friday'] } },
    ],
    [
      'wait_for_event',
      {
        mail: 'clicked',
        step: 'hello',
        timeout: '2',
        'timeout.unit': 'day',
        since: 'run',
        'to.event_received': 'end',
        'to.timeout': 'end',
      },
      { step: 'hello', mail: 'clicked', timeout: '2 days', since: 'run' },
    ],
    [
      'condition',
      {
        'rule.join': 'any',
        'rule.0.subject': 'tag',
        'rule.0.value': 'vip',
        'rule.1.subject': 'opened',
        'rule.1.step': 'hello',
        'rule.2.subject': '',
        'to.condition_met': 'end',
      },
      { any: [{ tag: 'vip' }, { step: 'hello', mail: 'opened' }] },
    ],
    [
      'subscriber_update',
      {
        add_tags: 'vip\r\nearly bird',
        fields: 'plan = {{event.plan}}\nn = 3',
        firstName: '',
        lastName: '',
        'to.default': 'end',
      },
      { add_tags: ['vip', 'early bird'], fields: { plan: { var: 'event.plan' }, n: 3 } },
    ],
    ['exit', { reason: hostile.slice(0, 60) }, { reason: hostile.slice(0, 60) }],
  ] as const)('of the type %s is written by its form', async (type, fields, config) => {
    const id = await automationOf(
      type === 'exit' ? { steps: line.steps.slice(0, 2), connections: line.connections.slice(0, 1) } : line,
    );
    const answer = await post(`/automations/${id}/steps`, { ...after, type, ...fields });
    expect([answer.status, wordsOf(answer.text).match(/Nothing was changed.*/)?.[0]]).toEqual([303, undefined]);
    expect(await configOf(id, 'new')).toEqual(config);
    expect((await get(`/automations/${id}/steps/new`)).status).toBe(200);
  });

  it('is a report to a webhook, or a template, of those that there are', async () => {
    const id = await automationOf();
    const webhook = await api('POST', '/webhooks', {
      name: hostile,
      url: `${service().baseUrl}/health`,
      events: ['email.delivered'],
    });
    const template = await api('POST', '/templates', { name: 'Tips <b>', subject: 'Tips', text: 'Tips' });
    const report = await get(`/automations/${id}/steps?after=hello&type=webhook`);
    expect(report.text).toContain(`<option value="${webhook.id}">&quot;&gt;&lt;img`);
    const mail = await get(`/automations/${id}/steps?after=hello&type=send_email`);
    expect(mail.text).toContain(`<option value="${template.id}">Tips &lt;b&gt;</option>`);
    await post(`/automations/${id}/steps`, {
      ...after,
      type: 'webhook',
      webhook_id: webhook.id,
      data: 'plan = {{event.plan}}',
      'to.default': 'end',
    });
    expect(await configOf(id, 'new')).toEqual({ webhook_id: webhook.id, data: { plan: { var: 'event.plan' } } });
    const fields = {
      ...after,
      version: '2',
      key: 'tips',
      type: 'send_email',
      content: 'template',
      'template.id': template.id,
      'to.default': 'new',
    };
    expect((await post(`/automations/${id}/steps`, fields)).status).toBe(303);
    expect(await configOf(id, 'tips')).toEqual({ template: { id: template.id } });
  });

  it('says at its field what is wrong, keeps what was written, and stores nothing', async () => {
    const id = await automationOf();
    const fields = {
      ...after,
      key: 'start',
      type: 'delay',
      way: 'duration',
      duration: hostile,
      'duration.unit': 'hour',
      'to.default': 'end',
    };
    const { status, text } = await post(`/automations/${id}/steps`, fields);
    expect(status).toBe(422);
    expect(text).toMatch(/id="key-problem">is the key of an earlier step/);
    expect(text).toMatch(/id="duration-problem">must be a number of minutes/);
    expect(text).toContain('value="&quot;&gt;&lt;img src=x');
    expect(text).toMatch(/<option value="hour" selected>/);
    expect(text).not.toContain('<img src=x');
    expect((await read(id)).version).toBe(1);
  });

  it('has another line of conditions when it is asked for, and keeps the rest of the form', async () => {
    const id = await automationOf();
    const fields = {
      ...after,
      type: 'condition',
      do: 'more',
      'rule.join': 'any',
      'rule.0.subject': 'tag',
      'rule.0.value': hostile,
    };
    const { status, text } = await post(`/automations/${id}/steps`, fields);
    expect(status).toBe(200);
    expect(text).toContain('name="rule.1.subject"');
    expect(text).not.toContain('name="rule.2.subject"');
    expect(text).toContain('id="key" name="key"');
    expect(text).toContain('&quot;&gt;&lt;img src=x');
    const wrong = {
      ...fields,
      do: 'save',
      'rule.1.subject': 'field',
      'rule.1.name': 'no good',
      'rule.1.test': 'equals',
    };
    expect((await post(`/automations/${id}/steps`, wrong)).text).toMatch(/id="rule\.1-problem">must be a field name/);
  });

  it('is not found behind a step that is not there, nor behind an exit', async () => {
    const id = await automationOf();
    for (const key of ['nowhere', 'end', hostile]) {
      expect((await get(`/automations/${id}/steps?after=${encodeURIComponent(key)}&type=delay`)).status).toBe(404);
    }
  });
});

describe('a step', () => {
  it.each([
    [
      {
        source: 'event',
        event_name: 'order',
        'filter_rule.join': 'all',
        'filter_rule.0.subject': 'data',
        'filter_rule.0.name': 'amount',
        'filter_rule.0.test': 'greater_than',
        'filter_rule.0.value': '100',
      },
      { event_name: 'order', filter_rule: { data: 'amount', operator: 'greater_than', value: 100 } },
    ],
    [
      { source: 'subscribed', include_imports: 'yes' },
      { source: 'subscribed', include_imports: true },
    ],
    [
      { source: 'tag_added', tag: hostile },
      { source: 'tag_added', tag: hostile },
    ],
    [
      { source: 'field_changed', 'changed.field': 'plan', from: '', to: 'Pro' },
      { source: 'field_changed', field: 'plan', to: 'Pro' },
    ],
    [
      { source: 'date', 'date.field': 'renewal', offset_days: '-3', at: '09:00', zone: 'UTC', every: 'year' },
      { source: 'date', field: 'renewal', offset_days: -3, at: '09:00', zone: 'UTC', every: 'year' },
    ],
    [{ source: 'manual', tag: 'of another choice' }, { source: 'manual' }],
  ] as const)('that starts a run is changed by its form: %j', async (fields, config) => {
    const id = await automationOf();
    expect(
      (await post(`/automations/${id}/steps/start`, { version: '1', 'to.default': 'hello', ...fields })).status,
    ).toBe(303);
    expect(await configOf(id, 'start')).toEqual(config);
    const { text } = await get(`/automations/${id}`);
    expect(text).not.toContain('<img src=x');
    expect((await get(`/automations/${id}/steps/start`)).text).not.toContain('<img src=x');
  });

  it('that starts a run by a segment offers those that there are', async () => {
    const { createSegment } = await import('../../shared/services/segments.ts');
    const segment = await createSegment(operatorContext(workspace().workspaceId), {
      name: 'Paris <b>',
      rule: { tag: 'paris' },
    });
    const id = await automationOf();
    expect((await get(`/automations/${id}/steps/start`)).text).toContain(
      `<option value="${segment.id}">Paris &lt;b&gt;</option>`,
    );
    const fields = {
      version: '1',
      'to.default': 'hello',
      source: 'segment_entered',
      segment_id: segment.id,
      include_present: 'yes',
    };
    await post(`/automations/${id}/steps/start`, fields);
    expect(await configOf(id, 'start')).toEqual({
      source: 'segment_entered',
      segment_id: segment.id,
      include_present: true,
    });
    const missing = await post(`/automations/${id}/steps/start`, {
      ...fields,
      version: '2',
      segment_id: 'seg_nowhere',
    });
    expect(missing.text).toMatch(/id="segment_id-problem">is not a segment of this workspace/);
  });

  it('leads elsewhere when another step is chosen, and says which step nothing leads to then', async () => {
    const id = await automationOf();
    const fields = { version: '1', content: 'written', subject: 'Hello', text: 'Hello' };
    const { status, text } = await post(`/automations/${id}/steps/start`, {
      version: '1',
      source: 'subscribed',
      'to.default': 'end',
    });
    expect([status, wordsOf(text)]).toEqual([422, expect.stringContaining('hello: cannot be reached')]);
    const looped = await post(`/automations/${id}/steps/hello`, { ...fields, 'to.default': 'hello' });
    expect(wordsOf(looped.text)).toMatch(/leads back to itself/);
    const unknown = await post(`/automations/${id}/steps/hello`, { ...fields, 'to.default': hostile });
    expect(unknown.text).toMatch(/id="to\.default-problem">/);
    expect(unknown.text).not.toContain('<img src=x');
    expect((await read(id)).version).toBe(1);
  });

  it('that another operator changed is not overwritten, unless it is saved once more', async () => {
    const id = await automationOf();
    await api('PATCH', `/automations/${id}`, { run_key: 'event.theirs' });
    const fields = { version: '1', content: 'written', subject: 'Mine', text: 'Mine too', 'to.default': 'end' };
    for (const button of ['save', 'more']) {
      const { status, text } = await post(`/automations/${id}/steps/hello`, { ...fields, do: button });
      expect([status, wordsOf(text)]).toEqual([422, expect.stringContaining('was changed after this form was opened')]);
      expect(text).toContain('name="version" value="2"');
      expect(text).toContain('value="Mine"');
      expect(text).toContain('Mine too');
    }
    expect(await configOf(id, 'hello')).toMatchObject({ subject: 'Hello' });
    expect((await post(`/automations/${id}/steps/hello`, { ...fields, version: '2' })).status).toBe(303);
    expect(await read(id)).toMatchObject({ version: 3, run_key: 'event.theirs' });
    expect(await configOf(id, 'hello')).toEqual({ subject: 'Mine', text: 'Mine too' });
  });

  it('that was removed meanwhile keeps the form of its author', async () => {
    const id = await automationOf();
    await api('PATCH', `/automations/${id}`, {
      steps: [line.steps[0], line.steps[2]],
      connections: [{ from: 'start', to: 'end' }],
    });
    const fields = { type: 'send_email', content: 'written', subject: 'Mine', text: 'T', 'to.default': 'end' };
    const first = await post(`/automations/${id}/steps/hello`, { ...fields, version: '1' });
    expect([first.status, first.text.includes('value="Mine"')]).toEqual([422, true]);
    const again = await post(`/automations/${id}/steps/hello`, { ...fields, version: '2' });
    expect([again.status, wordsOf(again.text)]).toEqual([
      422,
      expect.stringContaining('the step hello does not exist any more'),
    ]);
    expect(again.text).toContain('value="Mine"');
    expect((await get(`/automations/${id}/steps/hello`)).status).toBe(404);
  });
});

describe('a step that is removed', () => {
  const branching = {
    steps: [
      line.steps[0],
      { key: 'paid', type: 'wait_for_event', config: { event_name: 'paid', timeout: '3 days' } },
      { key: 'thanks', type: 'send_email', config: { subject: 'Thanks', text: 'Paid {{steps.paid.event.amount|it}}' } },
      { key: 'tips', type: 'delay', config: { duration: '1 day' } },
      line.steps[2],
    ],
    connections: [
      { from: 'start', to: 'paid' },
      { from: 'paid', to: 'thanks', type: 'event_received' },
      { from: 'paid', to: 'tips', type: 'timeout' },
      { from: 'thanks', to: 'end' },
      { from: 'tips', to: 'end' },
    ],
  };

  it('is bridged', async () => {
    const id = await automationOf();
    const asked = await get(`/automations/${id}/steps/hello/remove`);
    expect(wordsOf(asked.text)).toContain('What comes before it then goes on at end.');
    expect((await post(`/automations/${id}/steps/hello/remove`, { version: '1' })).status).toBe(303);
    expect(await linesOf(id)).toEqual(['start default end']);
    expect(wordsOf((await post(`/automations/${id}/steps/end/remove`, { version: '2' })).text)).toContain('at least 2');
  });

  it('asks which branch stays, and names what goes with it', async () => {
    const id = await automationOf(branching);
    const path = `/automations/${id}/steps/paid/remove`;
    expect(wordsOf((await get(path)).text)).toMatch(/It did not come.*goes on at tips.*they are removed too: thanks/);
    const open = await post(path, { version: '1' });
    expect([open.status, open.text]).toEqual([422, expect.stringContaining('id="stays-problem">choose one')]);
    const named = await post(path, { version: '1', stays: 'event_received' });
    expect([named.status, wordsOf(named.text)]).toEqual([
      422,
      expect.stringMatching(/thanks, text: &quot;paid&quot; is not the key of a wait_for_event/),
    ]);
    expect((await post(path, { version: '1', stays: 'timeout' })).status).toBe(303);
    expect(await linesOf(id)).toEqual(['start default tips', 'tips default end']);
  });

  it('is not removed after another change, and a trigger never is', async () => {
    const id = await automationOf();
    await api('PATCH', `/automations/${id}`, { run_key: 'event.x' });
    expect((await post(`/automations/${id}/steps/hello/remove`, { version: '1' })).status).toBe(422);
    const trigger = await post(`/automations/${id}/steps/start/remove`, { version: '2' });
    expect([trigger.status, wordsOf(trigger.text)]).toEqual([
      422,
      expect.stringContaining('A trigger cannot be removed'),
    ]);
    expect((await read(id)).version).toBe(2);
  });
});
