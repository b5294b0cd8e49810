import type * as z from 'zod';
import { issuesOf } from '../../../../shared/contract/errors.ts';
import { createCampaignRequest } from '../../../../shared/contract/schemas/campaignRequest.ts';
import { createTemplateRequest, updateTemplateRequest } from '../../../../shared/contract/schemas/template.ts';

const pathsOf = (schema: z.ZodType, body: unknown) => {
  const { error } = schema.safeParse(body, { reportInput: true });
  return error ? issuesOf(error).map(({ path }) => path) : [];
};

const blocks = [
  { type: 'button', label: 'Go {{nobody}}', href: 'javascript:alert(1)' },
  { type: 'image', src: 'data:text/html,x', alt: 5, href: 'ftp://example.com' },
  { type: 'film', src: 'https://example.com' },
  { type: 'list', items: ['[x](javascript:x)', 3, 'Hi {{'] },
  {
    type: 'columns',
    columns: [
      [
        { type: 'button', label: 'Go', href: 'vbscript:x' },
        { type: 'paragraph', text: 1 },
      ],
      [{ type: 'columns', columns: [] }],
    ],
  },
  { type: 'heading', level: 9, text: '{{' },
  null,
];
const pathsOfBlocks = [
  'content[0].href',
  'content[0].label',
  'content[1].alt',
  'content[1].href',
  'content[1].src',
  'content[2].type',
  'content[3].items[0]',
  'content[3].items[1]',
  'content[3].items[2]',
  'content[4].columns[0][0].href',
  'content[4].columns[0][1].text',
  'content[4].columns[1][0].type',
  'content[5].level',
  'content[5].text',
  'content[6]',
];

describe('a campaign', () => {
  it.each([
    [{}, ['name', 'subject', 'text']],
    [{ name: 'N' }, ['subject', 'text']],
    [{ name: 5, subject: '{{x', text: '[a](javascript:x)' }, ['name', 'subject', 'text']],
    [{ name: 'N', subject: 'S', text: 5, content: 5 }, ['content', 'text']],
    [{ subject: null, template: 5, text: 'T' }, ['name', 'template']],
    [{ name: 'N', subject: 'S', text: ' \n ', from: 'x' }, ['from', 'text']],
    [{ name: 'N', subject: 'S', text: '' }, ['text']],
    [{ name: '', subject: 'S', content: blocks }, [...pathsOfBlocks, 'name']],
    [
      {
        subject: 'S',
        text: 'T',
        track: { opens: false, clicks: 1 },
        ab_test: { variants: [{ subject: '{{x', from: 'x' }, 5], decide_by: 'opens', wait_hours: 0 },
      },
      [
        'ab_test.decide_by',
        'ab_test.test_share',
        'ab_test.variants[0].from',
        'ab_test.variants[0].subject',
        'ab_test.variants[1]',
        'ab_test.wait_hours',
        'name',
        'track.clicks',
      ],
    ],
  ])('gets all problems of %j at once', (body, paths) => {
    expect(pathsOf(createCampaignRequest, body).sort()).toEqual(paths);
  });

  it('never fails on blocks of any shape', () => {
    const odd = [null, 1, 'x', [], {}, { type: null }, { type: '__proto__' }, { type: 'list', items: {} }];
    for (const content of [...odd, odd, [odd], [{ type: 'columns', columns: [odd, [odd]] }]]) {
      const given = { name: 'N', subject: 'S', content };
      expect(() => createCampaignRequest.safeParse(given)).not.toThrow();
      expect(() => createTemplateRequest.safeParse(given)).not.toThrow();
    }
    const deep = JSON.parse(`${'[{"type":"columns","columns":['.repeat(50)}[]${']}]'.repeat(50)}`);
    expect(pathsOf(createCampaignRequest, { name: 'N', subject: 'S', content: deep }).length).toBeGreaterThan(0);
  });
});

describe('a template', () => {
  it.each([
    [{}, ['html', 'name']],
    [
      { name: 5, html: '<a {{x}}>', text: '{{', preheader: 'p', subject: '{{1}}' },
      ['html', 'name', 'preheader', 'subject', 'text'],
    ],
    [
      { content: blocks, html: 'x' },
      ['content', ...pathsOfBlocks.filter((path) => path !== 'content[0].label'), 'name'],
    ],
    [
      { name: 'N', text: 5, variables: [{ key: 'a' }, { key: 'a', type: 'x' }, 5, { key: '1' }] },
      ['text', 'variables[1].key', 'variables[1].type', 'variables[2]', 'variables[3].key'],
    ],
  ])('gets all problems of %j at once', (body, paths) => {
    expect(pathsOf(createTemplateRequest, body).sort()).toEqual(paths);
  });

  it.each([
    [{ name: '', text: '{{' }, ['name', 'text']],
    [{ html: '' }, []],
    [{ preheader: 'p' }, []],
    [{ preheader: 'p', html: 'x' }, ['preheader']],
    [{ content: [{ type: 'divider' }], html: 'x' }, ['content']],
  ])('gets all problems of the change %j at once, without those from before', (body, paths) => {
    expect(pathsOf(updateTemplateRequest, body).sort()).toEqual(paths);
  });
});
