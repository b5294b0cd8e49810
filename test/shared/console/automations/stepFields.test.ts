import { emptyForm } from '../../../../shared/console/layout/form.ts';
import {
  type FieldContext,
  readValue,
  valuesIn,
  writtenValue,
  writtenValues,
} from '../../../../shared/console/sections/automations/internal/steps/fields.ts';
import { ruleFields } from '../../../../shared/console/sections/automations/internal/steps/ruleFields.ts';
import { ruleIn } from '../../../../shared/console/sections/automations/internal/steps/ruleRows.ts';
import { type StepType, stepForms } from '../../../../shared/console/sections/automations/internal/steps/stepFields.ts';
import { type Html, html } from '../../../../shared/pages/html.ts';

const steps = [
  { key: 'start', type: 'trigger', config: { source: 'manual' } },
  { key: 'hello', type: 'send_email', config: { subject: 'S', text: 'T' } },
  { key: 'paid', type: 'wait_for_event', config: { event_name: 'paid', timeout: '1 day' } },
] as const;
const known = { events: [], templates: [], segments: [], webhooks: [], topics: [], senders: [] };
const shown: FieldContext = { language: 'en', filled: emptyForm, known, flow: { steps, connections: [] } };

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`' };
const decoded = (text: string) => text.replace(/&(\w+|#\d+);/g, (_, name: string) => entities[name] ?? '');

/** What a browser would post of these fields, none of them touched. */
function posted(fields: Html): URLSearchParams {
  const form = new URLSearchParams();
  const markup = String(html`${fields}`);
  const controls =
    /<select[^>]* name="([^"]+)"[^>]*>(.*?)<\/select>|<textarea[^>]* name="([^"]+)"[^>]*>\n?(.*?)<\/textarea>|<input([^>]*)>/gs;
  for (const [, select, options = '', area, body = '', input] of markup.matchAll(controls)) {
    if (select) {
      const chosen = /value="([^"]*)" selected/.exec(options) ?? /value="([^"]*)"/.exec(options);
      form.append(select, decoded(chosen?.[1] ?? ''));
    } else if (area) form.append(area, decoded(body).replaceAll('\n', '\r\n'));
    else if (input && (!input.includes('checkbox') || input.includes(' checked'))) {
      form.append(/name="([^"]+)"/.exec(input)?.[1] ?? '', decoded(/value="([^"]*)"/.exec(input)?.[1] ?? ''));
    }
  }
  return form;
}

const date = { field: 'renewal', offset_days: -3, at: '09:00', zone: 'Europe/Paris' };

/** Every part of every config: what a form does not show would be lost by saving it. */
const configs: readonly (readonly [StepType, object])[] = [
  ['trigger', { event_name: 'order', filter_rule: { data: 'amount', operator: 'greater_than', value: 100 } }],
  ['trigger', { source: 'subscribed', include_imports: true }],
  ['trigger', { source: 'subscribed' }],
  ['trigger', { source: 'tag_added', tag: 'a "<b>" tag' }],
  ['trigger', { source: 'field_changed', field: 'plan', from: 3, to: '3' }],
  ['trigger', { source: 'segment_entered', segment_id: 'seg_1', include_present: true }],
  ['trigger', { source: 'date', every: 'year', ...date }],
  ['trigger', { source: 'manual' }],
  [
    'send_email',
    {
      ...{
        subject: 'Hi {{contact.firstName|there}}',
        html: '<p>\n Hi</p>\n',
        text: '  Hi\n\nthere',
        from: 'A <a@b.example>',
      },
      ...{ reply_to: ['"Doe, Jane" <j@b.example>', 'k@b.example'], track: { opens: true, clicks: false } },
      ...{ tag: 'kind:tips', max_delay: '2 hours', on_failure: 'continue' },
    },
  ],
  [
    'send_email',
    {
      template: {
        id: 'tpl_1',
        version: 3,
        variables: { plan: { var: 'event.plan' }, n: 3, list: [1, { a: null }], t: '3' },
      },
      max_delay: null,
    },
  ],
  ['delay', { duration: '3 days' }],
  ['delay', { until: { time: '09:00', zone: 'UTC', zone_field: 'tz', weekdays: ['monday', 'sunday'] } }],
  ['delay', { duration: '1 week', until: { time: '09:00', zone: 'UTC' } }],
  ['delay', { until_field: { ...date, if_missing: 'exit' } }],
  ['wait_for_event', { event_name: 'paid', filter_rule: { data: 'plan', operator: 'exists' }, timeout: '30 days' }],
  ['wait_for_event', { step: 'hello', mail: 'clicked', timeout: '90 minutes', since: 'run' }],
  ['condition', { tag: 'vip' }],
  [
    'subscriber_update',
    {
      ...{ add_tags: ['a, b', 'c'], remove_tags: ['d'], firstName: { var: 'event.name' }, lastName: null },
      fields: {
        city: 'Paris',
        n: 3,
        s: '3',
        yes: true,
        none: null,
        from: { var: 'event.x' },
        quoted: '{{event.x}}',
        spaces: ' a\nb ',
      },
    },
  ],
  ['webhook', { webhook_id: 'whk_1', data: { 'a = b': 1, nested: { x: { var: 'contact.email' } } } }],
  ['exit', { reason: 'no `interest`' }],
  ['exit', {}],
];

it.each(configs)('a form of %s that is saved untouched changes nothing: %j', (type, config) => {
  const form = stepForms[type];
  expect(form.read(posted(form.fields(shown, config as never)))).toEqual(config);
});

const leaf = { field: 'plan', operator: 'equals', value: 'Pro' };
const rules: readonly object[] = [
  leaf,
  { not: { tag: 'vip' } },
  { all: [leaf, { tag: 'vip' }, { step: 'hello', mail: 'opened' }, { not: { step: 'hello', mail: 'clicked' } }] },
  {
    any: [
      { trigger: 'order.total', operator: 'less_than', value: 5 },
      { name: 'firstName', operator: 'exists' },
    ],
  },
  { not: { any: [leaf, { event: 'login', operator: 'count_at_least', value: 3 }] } },
  {
    all: [
      { waited: { step: 'paid', path: 'plan' }, operator: 'not_equals', value: true },
      { not: { field: 'x', operator: 'exists' } },
    ],
  },
  {
    all: [
      { date: 'created_at', operator: 'within_last_days', value: 7 },
      { name: 'lastName', operator: 'equals', value: '7' },
    ],
  },
  // With groups inside groups, or more conditions than fields, as JSON.
  { all: [leaf, { any: [leaf, { tag: 'b' }] }] },
  { any: Array.from({ length: 11 }, (_, index) => ({ tag: `t${index}` })) },
];

it.each(rules)('a rule that is saved untouched stays as it is: %j', (rule) => {
  const fields = ruleFields(shown, { name: 'rule', legend: { en: 'If', fr: 'Si' }, place: 'rule', rule });
  expect(ruleIn(posted(fields), 'rule')).toEqual(rule);
});

it('keeps an empty line of conditions for the next one, up to ten', () => {
  const fields = (count: number) =>
    String(
      ruleFields(shown, {
        name: 'r',
        legend: { en: 'If', fr: 'Si' },
        place: 'rule',
        rule: { all: Array.from({ length: count }, () => leaf) },
      }),
    );
  expect([9, 10].map((count) => fields(count).match(/class="rule-row"/g)?.length)).toEqual([10, 10]);
  expect(fields(11)).toContain('<textarea');
});

it('reads a value as JSON or a variable only where it is one', () => {
  for (const text of ['Paris', '007', '1e5x', '{broken', '"half', 'nullable', '-', '{{ event.x }} and more'])
    expect(readValue(text)).toBe(text);
  expect(['3', '-1.5', 'true', 'null', '"3"', '[1]', '{{ event.x }}'].map(readValue)).toEqual([
    3,
    -1.5,
    true,
    null,
    '3',
    [1],
    { var: 'event.x' },
  ]);
  expect(writtenValue(undefined)).toBe('');
  expect(writtenValues()).toBe('');
});

it('names the line of values that has no sign', () => {
  const form = new URLSearchParams({ fields: 'city = Paris\n<b>broken' });
  expect(() => valuesIn(form, 'fields')).toThrow(
    expect.objectContaining({ issues: [expect.objectContaining({ path: 'fields' })] }),
  );
});
