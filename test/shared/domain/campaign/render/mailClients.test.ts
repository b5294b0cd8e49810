import { caniemail } from 'caniemail';
import type { Block } from '../../../../../shared/domain/campaign/content/block.ts';
import { readContent } from '../../../../../shared/domain/campaign/content/readContent.ts';
import { renderTemplate } from '../../../../../shared/domain/campaign/render/render.ts';
import { defaultData, substitute } from '../../../../../shared/domain/campaign/render/templateData.ts';

const blocks: readonly Block[] = [
  { type: 'heading', level: 1, text: 'Autumn' },
  { type: 'paragraph', text: 'Hello **{{firstName|there}}**, *see* [what is new](https://example.com/new).' },
  { type: 'image', src: 'https://example.com/forest.png', alt: 'A forest', href: 'https://example.com/' },
  { type: 'button', label: 'See it', href: 'https://example.com/' },
  { type: 'divider' },
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

/** Thunderbird is left out: the data says nothing of it for some features, which the library takes for an error. */
const clients: NonNullable<Parameters<typeof caniemail>[0]>['clients'] = [
  'gmail.*',
  'apple-mail.*',
  'outlook.*',
  'yahoo.*',
  'samsung-email.*',
];

/** What a client may lack, and the message reads as well: dark mode, narrow screens, round corners, long words. */
const ornaments = new Set([
  '@media',
  '<style> element',
  '<body> element',
  'color-scheme meta tag',
  'border-radius',
  'outline',
  'overflow-wrap',
  'word-break',
  // For screen readers, where it is understood.
  'role attribute',
  // Each hides the preheader in some client.
  'display:none',
  'opacity',
  'overflow',
  'max-height property',
  // `auto`, where the width is given and the height is not.
  'height property',
]);

function missingIn(document: string): string[] {
  const { issues } = caniemail({ clients, html: document });
  return [...issues.errors].flatMap(([client, errors]) =>
    errors.filter(({ title }) => !ornaments.has(title)).map(({ title }) => `${client}: ${title}`),
  );
}

describe('the HTML of a campaign', () => {
  it('needs nothing that a mail client lacks, by the data of caniemail.com', () => {
    expect(missingIn(html())).toEqual([]);
  });

  it('would be caught with what they do lack', () => {
    const spoilt = html().replace('margin:0;padding:0', 'margin:0;position:fixed;padding:0');
    expect(missingIn(spoilt)).toContain('gmail.desktop-webmail: position');
  });
});
