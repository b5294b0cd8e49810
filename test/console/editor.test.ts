import { blockList } from '../../shared/console/sections/campaigns/internal/editor/blockForm.ts';
import { operated } from '../../shared/console/sections/campaigns/internal/editor/blockOperations.ts';
import {
  draftOfForm,
  issuesOfFields,
  readBlocks,
} from '../../shared/console/sections/campaigns/internal/editor/readForm.ts';
import {
  momentOfForm,
  shownThere,
  twiceShown,
} from '../../shared/console/sections/campaigns/internal/sending/schedule.ts';
import { campaignDraft, problemsOfDraft, type WrittenDraft } from '../../shared/contract/schemas/campaignDraft.ts';
import type { Block } from '../../shared/domain/content/block.ts';

const blocks: Block[] = [
  { type: 'heading', level: 1, text: 'News "for" <you>' },
  { type: 'paragraph', text: '\nHello {{firstName|there}},\n\ntwo lines' },
  { type: 'image', src: 'https://example.com/a.png', alt: 'A', href: 'https://example.com', width: 300 },
  { type: 'image', src: 'https://example.com/b.png', alt: '' },
  { type: 'button', label: 'Go', href: 'https://example.com/go' },
  { type: 'divider' },
  { type: 'list', items: ['one', 'two\non two lines'], ordered: true },
  { type: 'heading', level: 6, text: 'Small', align: 'center', color: '#204030', background: '#ffffff' },
  { type: 'spacer', height: 24 },
  { type: 'social', links: ['https://instagram.com/acme', 'https://example.com/'], align: 'right' },
  { type: 'quote', text: 'Warm\nand dry', by: 'Ada', background: '#204030' },
  { type: 'code', text: 'npm start\n  {{kept}}' },
  { type: 'html', html: '<p>Hello</p>\n' },
  { type: 'menu', items: [{ label: 'A | B', href: 'https://example.com/' }] },
  { type: 'video', src: 'https://example.com/a.png', alt: 'How', href: 'https://example.com/' },
  {
    type: 'product',
    ...{ src: 'https://example.com/a.png', alt: '', title: 'Coat', text: 'Warm', label: 'Buy' },
    href: 'https://example.com/',
  },
  {
    type: 'columns',
    columns: [
      [{ type: 'paragraph', text: 'left' }],
      [{ type: 'heading', level: 3, text: 'right' }, { type: 'divider' }],
    ],
  },
];

const draft: WrittenDraft = {
  name: 'Autumn',
  segmentId: null,
  replyTo: null,
  tag: 'category:news',
  track: {},
  variants: [{ name: null, subject: 'Autumn', preheader: null, from: 'news@example.com', blocks }],
  test: null,
};

/** What a browser sends for a page: its fields as they stand, line breaks as forms have them. */
function sent(page: string): URLSearchParams {
  const form = new URLSearchParams();
  const decoded = (text: string) =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&#96;', '`')
      .replaceAll('&amp;', '&');
  const fields = /<input ([^>]*)>|<textarea ([^>]*)>\n?([^<]*)<\/textarea>|<select ([^>]*)>(.*?)<\/select>/gs;
  for (const [, input, textarea, text, select, options] of page.matchAll(fields)) {
    const attributes = input ?? textarea ?? select ?? '';
    const name = decoded(/name="([^"]*)"/.exec(attributes)?.[1] ?? '');
    if (input?.includes('type="checkbox"') && !input.includes(' checked')) continue;
    const value = input
      ? /value="([^"]*)"/.exec(input)?.[1]
      : (text ?? /value="([^"]*)" selected/.exec(options ?? '')?.[1] ?? '');
    form.append(name, decoded(value ?? '').replaceAll('\n', '\r\n'));
  }
  return form;
}

const shown = (list: readonly Block[]) =>
  blockList({ language: 'en', filled: { values: new URLSearchParams(), issues: [] } }, 'content', list).toString();

describe('the blocks of a campaign as a form', () => {
  it('come back as they were, whatever they hold', () => {
    expect(readBlocks(sent(shown(blocks)))).toEqual(blocks);
  });

  it('are what the contract takes', () => {
    expect(problemsOfDraft({ ...draft, variants: draft.variants.map((one) => ({ ...one, blocks })) })).toEqual([]);
  });

  it('stand in the order of their numbers, and are no more than the form names', () => {
    const form = new URLSearchParams([
      ['content[10].type', 'divider'],
      ['content[2].type', 'paragraph'],
      ['content[2].text', 'b'],
      ['content[999999].type', 'divider'],
      ['content[3].type', 'script'],
      ['content[__proto__].type', 'divider'],
    ]);
    expect(readBlocks(form)).toEqual([{ type: 'paragraph', text: 'b' }, { type: 'divider' }]);
  });

  it.each([
    ['up:content[1]', [1, 0, 2], 'content[0]'],
    ['up:content[0]', [0, 1, 2], 'content[0]'],
    ['down:content[0]', [1, 0, 2], 'content[1]'],
    ['down:content[2]', [0, 1, 2], 'content[2]'],
    ['copy:content[1]', [0, 1, 1, 2], 'content[2]'],
    ['delete:content[1]', [0, 2], 'content[0]'],
  ])('follow the button %s', (button, order, place) => {
    const list = ['a', 'b', 'c'].map((text): Block => ({ type: 'paragraph', text }));
    expect(operated(list, button)).toEqual({ blocks: order.map((index) => list[index]), place });
  });

  it('follow a button within a column, and no button that there is not', () => {
    const columns = operated(blocks, 'up:content[16].columns[1][1]')?.blocks[16];
    expect(columns).toMatchObject({ columns: [[{ text: 'left' }], [{ type: 'divider' }, { text: 'right' }]] });
    expect(operated(blocks, 'add:image:content[16].columns[0]')?.place).toBe('content[16].columns[0][1]');
    expect(operated(blocks, 'add:columns2:content[16].columns[0]')?.blocks[16]).toEqual(blocks[16]);
    for (const button of [
      '',
      'save',
      'up:content[99]',
      'add:nothing:content',
      'up:content[0].columns[0][0]',
      'x:content[0]',
    ])
      expect([button, operated(blocks, button)]).toEqual([button, null]);
  });
});

describe('a draft as a form', () => {
  const form = (more: Record<string, string> = {}) => {
    const filled = sent(shown(blocks));
    const fields = { name: 'Autumn', subject: 'Autumn', from: 'news@example.com', shared: 'yes', ...more };
    for (const [name, value] of Object.entries(fields)) filled.set(name, value);
    return filled;
  };

  it('is the same when nothing was changed', () => {
    expect(campaignDraft.parse(draftOfForm(form(), draft))).toEqual(draft);
  });

  it('has a test as soon as there is a second subject, and the same message in each variant', () => {
    const tested = draftOfForm(
      form({ 'ab_test.variants[1].subject': 'Other', 'ab_test.test_share': '30', 'ab_test.decide_by': 'clicks' }),
      draft,
    );
    expect(tested.test).toEqual({ share: 0.3, decideBy: 'clicks', waitHours: 4 });
    expect(tested.variants.map(({ subject, blocks: own }) => [subject, own.length])).toEqual([
      ['Autumn', 17],
      ['Other', 17],
    ]);
    expect(problemsOfDraft(tested)).toEqual([]);
  });

  it('changes the message of the variant that is shown, and no other, when they differ', () => {
    const other = {
      ...draft.variants[0],
      subject: 'B',
      blocks: [{ type: 'paragraph', text: 'b' }],
    } as WrittenDraft['variants'][0];
    const before = {
      ...draft,
      variants: [...draft.variants, other],
      test: { share: 0.2, decideBy: 'opens' as const, waitHours: 4 },
    };
    const filled = form({ 'ab_test.variants[1].subject': 'B', variant: '1' });
    filled.delete('shared');
    filled.set('content[0].text', 'changed');
    const after = draftOfForm(filled, before);
    expect(after.variants[0]?.blocks).toEqual(blocks);
    expect(after.variants[1]?.blocks[0]).toMatchObject({ text: 'changed' });
  });

  it('gets what is missing in the wording of the contract, by the names of its fields', () => {
    const empty = {
      ...draft,
      variants: [{ ...draft.variants[0], subject: '', blocks: [{ type: 'button', label: '', href: 'x' }] }],
    };
    const issues = issuesOfFields(problemsOfDraft(empty as WrittenDraft), 0, true);
    expect(issues.map(({ path, text }) => [path, text.en])).toEqual([
      ['subject', 'must not be empty'],
      ['content[0].label', 'must not be empty'],
      ['content[0].href', expect.any(String)],
    ]);
  });

  it('names the fields of a variant as the contract does, and reports a shared message once', () => {
    const text = { en: 'x', fr: 'x' };
    const issues = [
      { path: 'variants[1].subject', text },
      { path: 'variants[1].blocks[0].text', text },
      { path: 'content[2].href', text },
      { path: 'test.share', text },
    ];
    expect(issuesOfFields(issues, 0, true).map(({ path }) => path)).toEqual([
      'ab_test.variants[1].subject',
      'content[2].href',
      'ab_test.test_share',
    ]);
    expect(issuesOfFields(issues, 1, false).map(({ path }) => path)).toEqual([
      'ab_test.variants[1].subject',
      'content[0].text',
      'ab_test.variants[0].content[2].href',
      'ab_test.test_share',
    ]);
  });
});

describe('the moment of a schedule', () => {
  const form = (time: string, more: Record<string, string> = {}) =>
    new URLSearchParams({ day: '2026-10-25', time, zone: 'Europe/Paris', ...more });

  it('is that of the zone that was named', () => {
    expect(momentOfForm(form('09:00')).toISOString()).toBe('2026-10-25T08:00:00.000Z');
  });

  it('is asked for when the clocks show it twice', () => {
    const fold = form('02:30');
    expect(() => momentOfForm(fold)).toThrow(expect.objectContaining({ code: 'validation_error' }));
    expect(twiceShown(fold)?.second).toContain('GMT+1');
    expect(momentOfForm(form('02:30', { which: 'first' })).toISOString()).toBe('2026-10-25T00:30:00.000Z');
    expect(momentOfForm(form('02:30', { which: 'second' })).toISOString()).toBe('2026-10-25T01:30:00.000Z');
  });

  it('is refused with the one that is meant perhaps when the clocks jump over it', () => {
    const gap = form('02:30', { day: '2027-03-28' });
    expect(() => momentOfForm(gap)).toThrow(/2027-03-28 03:30/);
  });

  it.each([
    ['', 'Europe/Paris'],
    ['25:00', 'Europe/Paris'],
    ['09:00', '+01:00'],
    ['09:00', 'Europe/Nowhere'],
  ])('is none at %j in %j', (time, zone) => {
    expect(() => momentOfForm(form(time, { zone }))).toThrow(expect.objectContaining({ code: 'validation_error' }));
  });

  it('says that the clocks will have changed by then', () => {
    const at = new Date('2027-04-01T07:00:00Z');
    const now = new Date('2027-01-01T00:00:00Z');
    expect(shownThere(at, 'Europe/Paris', now, 'en')).toBe(
      '2027-04-01 09:00 (Europe/Paris, GMT+2). The clocks change before then: GMT+1 now, GMT+2 at that time.',
    );
    expect(shownThere(at, 'Europe/Paris', at, 'en')).toBe('2027-04-01 09:00 (Europe/Paris, GMT+2)');
    expect(shownThere(at, 'nowhere', at, 'en')).toBeNull();
  });
});
