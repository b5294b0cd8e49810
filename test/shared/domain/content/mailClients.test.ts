import { caniemail } from 'caniemail';
import type { Block } from '../../../../shared/domain/content/block.ts';
import { defaultData, substitute } from '../../../../shared/domain/content/messageTemplate.ts';
import { readContent } from '../../../../shared/domain/content/readContent.ts';
import { renderTemplate } from '../../../../shared/domain/content/render.ts';

const blocks: readonly Block[] = [
  { type: 'heading', level: 1, text: 'Autumn' },
  { type: 'paragraph', text: 'Hello **{{firstName|there}}**, *see* [what is new](https://example.com/new).' },
  { type: 'image', src: 'https://example.com/forest.png', alt: 'A forest', href: 'https://example.com/' },
  { type: 'button', label: 'See it', href: 'https://example.com/' },
  { type: 'divider' },
  { type: 'spacer', height: 24 },
  { type: 'quote', text: 'Warm', by: 'Ada', background: '#204030', align: 'center' },
  { type: 'code', text: 'npm start' },
  { type: 'html', html: '<p>Hello</p>' },
  { type: 'social', links: ['https://instagram.com/acme'] },
  { type: 'menu', items: [{ label: 'Shop', href: 'https://example.com/' }] },
  { type: 'video', src: 'https://example.com/a.png', alt: 'How', href: 'https://example.com/' },
  {
    type: 'product',
    ...{ src: 'https://example.com/a.png', alt: 'Coat', title: 'Coat', text: 'Warm' },
    ...{ label: 'Buy', href: 'https://example.com/' },
  },
  { type: 'list', items: ['one', 'two'], ordered: true },
  {
    type: 'columns',
    columns: [[{ type: 'paragraph', text: 'left' }], [{ type: 'list', items: ['right'] }]],
  },
];

function html(): string {
  const content = { subject: 'Autumn', preheader: 'What we made', blocks: readContent(blocks).blocks };
  const template = renderTemplate(content, { workspaceName: 'Acme', language: 'en' });
  return substitute(template.html, defaultData(template));
}

/** Without Thunderbird: the data lacks it for some features, which is an error to the library. */
const clients: NonNullable<Parameters<typeof caniemail>[0]>['clients'] = [
  'gmail.*',
  'apple-mail.*',
  'outlook.*',
  'yahoo.*',
  'samsung-email.*',
];

/** Features that a client may lack: dark mode, narrow screens, round corners, breaking of long words. */
const ornaments = new Set([
  '@media',
  '<style> element',
  '<body> element',
  'color-scheme meta tag',
  'border-radius',
  'outline',
  'overflow-wrap',
  'word-break',
  // Stacks columns; Outlook for Windows, which lacks it, has a table of them.
  'min-width property',
  // For screen readers that support it.
  'role attribute',
  // Each hides the preheader in some client.
  'display:none',
  'opacity',
  'overflow',
  'max-height property',
  // `auto`, where only the width is given.
  'height property',
]);

function missingIn(document: string): string[] {
  const { issues } = caniemail({ clients, html: document });
  return [...issues.errors].flatMap(([client, errors]) =>
    errors.filter(({ title }) => !ornaments.has(title)).map(({ title }) => `${client}: ${title}`),
  );
}

describe('the HTML of a campaign', () => {
  it('needs no feature that a mail client lacks, by the data of caniemail.com', () => {
    expect(missingIn(html())).toEqual([]);
  });

  it('is reported when it uses a feature that they lack', () => {
    const spoilt = html().replace('margin:0;padding:0', 'margin:0;position:fixed;padding:0');
    expect(missingIn(spoilt)).toContain('gmail.desktop-webmail: position');
  });
});
