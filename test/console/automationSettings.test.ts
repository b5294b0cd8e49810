import { operatorContext } from '../shared/services/context.ts';
import { automationDesk, hostile, line, wordsOf } from './automationDesk.ts';
import { visitorOf } from './visitor.ts';

const { api, automationOf, get, place, post, read, service, visitor, workspace } = automationDesk();

describe('the settings', () => {
  const unset = {
    name: 'Trial',
    name_before: 'Trial',
    reentry: 'once',
    late: 'own',
    max_delay: '48',
    'max_delay.unit': 'hour',
  };

  it('are changed by their form, all of them, and emptied by it', async () => {
    const id = await automationOf();
    const { createTopic } = await import('../../shared/services/topics.ts');
    await createTopic(operatorContext(workspace().workspaceId), { name: 'Tips <b>', tag: 'kind:tips' } as never);
    const path = `/automations/${id}/settings`;
    expect((await get(path)).text).toContain('<option value="kind:tips">Tips &lt;b&gt;</option>');
    const fields = {
      ...{
        name: hostile,
        name_before: 'Trial',
        version: '1',
        reentry: 'after_days',
        after_days: '30',
        run_key: 'event.order_id',
      },
      ...{
        from: `Shop <hello@${workspace().domain}>`,
        reply_to: '"Doe, Jane" <j@example.net>\r\nk@example.net',
        tag: 'kind:tips',
      },
      ...{ 'track.opens': 'yes', 'track.clicks': '', late: 'own', max_delay: '3', 'max_delay.unit': 'day' },
      ...{
        'quiet_hours.from': '21:00',
        'quiet_hours.to': '08:00',
        'quiet_hours.zone': 'Europe/Paris',
        'quiet_hours.zone_field': 'tz',
      },
      ...{
        'goals.0.kind': 'none',
        'goals.0.event_name': 'left from before',
        'goals.1.kind': 'event',
        'goals.1.event_name': 'bought',
      },
      ...{
        'goals.2.kind': 'rule',
        'goals.2.rule.join': 'all',
        'goals.2.rule.0.subject': 'tag',
        'goals.2.rule.0.value': 'vip',
      },
    };
    expect((await post(path, fields)).status).toBe(303);
    const whole = {
      ...{ name: hostile, version: 2, reentry: { after_days: 30 }, run_key: 'event.order_id', tag: 'kind:tips' },
      ...{ from: `Shop <hello@${workspace().domain}>`, reply_to: ['"Doe, Jane" <j@example.net>', 'k@example.net'] },
      ...{ track: { opens: true }, max_delay: '3 days', goals: [{ event_name: 'bought' }, { rule: { tag: 'vip' } }] },
      quiet_hours: { from: '21:00', to: '08:00', zone: 'Europe/Paris', zone_field: 'tz' },
    };
    expect(await read(id)).toMatchObject(whole);
    expect((await get(path)).text).not.toContain('<img src=x');
    await post(path, { ...unset, name: hostile, version: '2', late: 'never' });
    const emptied = {
      run_key: null,
      tag: null,
      from: null,
      reply_to: null,
      track: null,
      quiet_hours: null,
      max_delay: null,
    };
    expect(await read(id)).toMatchObject({ name: hostile, version: 3, reentry: 'once', goals: [], ...emptied });
  });

  it('say at each field what is wrong, also of a goal behind an empty one', async () => {
    const id = await automationOf();
    const { status, text } = await post(`/automations/${id}/settings`, {
      ...{
        ...unset,
        version: '1',
        reentry: 'after_days',
        after_days: 'often',
        run_key: 'order',
        max_delay: 'long',
      },
      ...{
        'quiet_hours.from': '9 pm',
        'quiet_hours.to': '',
        'goals.0.kind': 'none',
        'goals.1.kind': 'event',
        'goals.1.event_name': 'no good',
      },
    });
    expect(status).toBe(422);
    const wrong = [...text.matchAll(/class="problem" id="([^"]+)-problem"/g)].map(([, name]) => name);
    expect(wrong).toEqual(
      expect.arrayContaining([
        'after_days',
        'run_key',
        'quiet_hours.from',
        'quiet_hours.to',
        'max_delay',
        'goals.1.event_name',
      ]),
    );
    expect(text).toContain('value="no good"');
    const nameless = await post(`/automations/${id}/settings`, { ...unset, version: '1', name: ' ' });
    expect([nameless.status, nameless.text]).toEqual([422, expect.stringContaining('id="name-problem"')]);
  });

  it('leave the name that another operator gave meanwhile, and refuse to overwrite their settings', async () => {
    const id = await automationOf();
    await api('PATCH', `/automations/${id}`, { name: 'Theirs' });
    await post(`/automations/${id}/settings`, { ...unset, version: '1', run_key: 'event.mine' });
    expect(await read(id)).toMatchObject({ name: 'Theirs', version: 2, run_key: 'event.mine' });
    const { status, text } = await post(`/automations/${id}/settings`, {
      ...unset,
      version: '1',
      run_key: 'event.late',
    });
    expect([status, text.includes('event.late'), (await read(id)).version]).toEqual([422, true, 2]);
  });
});

it('is in French for an operator who reads French', async () => {
  const id = await automationOf();
  const { cookie } = visitor();
  const french = async (path: string) =>
    await (
      await fetch(`${service().baseUrl}${place(path)}`, {
        headers: { cookie: `${cookie}; language=fr`, 'accept-language': 'fr' },
      })
    ).text();
  const page = wordsOf(await french(`/automations/${id}`));
  expect(page).toMatch(/Entrés 0 En attente 0 Terminés 0 Envoyés 0 Ouverts 0 Cliqués 0/);
  expect(wordsOf(await french(`/automations/${id}/steps/start`))).toMatch(
    /Un parcours commence quand.*La suite Ensuite/,
  );
  expect(wordsOf(await french(`/automations/${id}/steps?after=hello`))).toContain('Que doit-il se passer ensuite');
  expect(wordsOf(await french(`/automations/${id}/settings`))).toMatch(/Une personne peut entrer.*Objectifs/);
});

it('shows no form to an operator who may only read, and takes none from them nor from other sites', async () => {
  const id = await automationOf();
  const reader = await visitorOf(service(), { role: 'viewer' });
  const page = (await reader.get(place(`/automations/${id}`))).text;
  expect(page).not.toMatch(/auto_\w+\/(steps|settings)/);
  const form_token = await reader.formToken(place(`/automations/${id}`));
  const fields = { form_token, version: '1', source: 'manual', 'to.default': 'hello' };
  for (const path of ['steps', 'steps/start', 'steps/hello/remove', 'settings']) {
    expect((await reader.get(place(`/automations/${id}/${path}?after=hello`))).status).toBe(403);
    expect((await reader.post(place(`/automations/${id}/${path}`), fields)).status).toBe(403);
    const forged = await visitor().post(place(`/automations/${id}/${path}`), { ...fields, form_token: 'x' });
    expect(forged.status).toBe(403);
  }
  expect((await read(id)).version).toBe(1);
});

it('weighs less than 100 kB with a hundred steps', async () => {
  const middle = Array.from({ length: 98 }, (_, index) => ({
    key: `message_number_${index}`,
    type: 'send_email',
    config: { subject: 'A usual subject line', text: 'T' },
  }));
  const steps = [line.steps[0], ...middle, line.steps[2]];
  const connections = steps.slice(1).map((step, index) => ({ from: steps[index]?.key, to: step?.key }));
  const id = await automationOf({ steps, connections });
  for (const path of ['', '/steps/message_number_7', '/settings', '/steps?after=start&type=condition']) {
    const { status, text } = await get(`/automations/${id}${path}`);
    expect([path, status, Buffer.byteLength(text) < 100_000]).toEqual([path, 200, true]);
  }
});
