import * as fc from 'fast-check';
import { parseDocument } from 'htmlparser2';
import type { Block } from '../../../../shared/domain/content/block.ts';
import {
  defaultData,
  type MergePerson,
  personalData,
  substitute,
} from '../../../../shared/domain/content/messageTemplate.ts';
import { readContent } from '../../../../shared/domain/content/readContent.ts';
import { renderTemplate } from '../../../../shared/domain/content/render.ts';

const ada: MergePerson = { email: 'ada@example.net', firstName: 'Ada', lastName: null, fields: { city: 'Paris' } };
const link = 'https://mail.example.com/unsubscribe/token.signature';
const frame = { workspaceName: 'Acme', language: 'en' } as const;

function rendered(blocks: readonly Block[], options: { subject?: string; person?: MergePerson } = {}) {
  const { blocks: read, problems } = readContent(blocks);
  const template = renderTemplate({ subject: options.subject ?? 'Hello', preheader: null, blocks: read }, frame);
  const data = { ...defaultData(template), ...personalData(template, options.person ?? ada, link) };
  const part = (name: 'subject' | 'html' | 'text') => substitute(template[name], data);
  return { template, problems, subject: part('subject'), html: part('html'), text: part('text') };
}

/** The text of the HTML document. */
function shown(html: string): string {
  type Node = { readonly type: string; readonly data?: string; readonly name?: string; readonly children?: Node[] };
  const textOf = (node: Node): string => {
    if (node.type === 'text') return node.data ?? '';
    if (node.type === 'style' || node.name === 'title') return '';
    return (node.children ?? []).map(textOf).join('');
  };
  return textOf(parseDocument(html) as unknown as Node);
}

/** The only syntax of SES's inline templates that may occur. */
const placeholders = /\{\{[sht]\d+\}\}/g;

describe('a rendered campaign', () => {
  it('shows what the author wrote and the values of the person', () => {
    const { subject, html, text } = rendered(
      [
        { type: 'heading', level: 1, text: 'News from {{fields.city|home}}' },
        { type: 'paragraph', text: 'Hi **{{firstName|you}}** {{lastName|(no name)}}\nsecond line' },
      ],
      { subject: '{{firstName}}, look' },
    );
    expect(subject).toBe('Ada, look');
    expect(text).toContain('# News from Paris\n\nHi Ada (no name)\nsecond line\n');
    expect(html).toContain('Hi <strong>Ada</strong> (no name)<br>second line');
  });

  it('always has the unsubscribe link in both parts, never tracked', () => {
    const { html, text } = rendered([{ type: 'divider' }]);
    expect(text).toContain(link);
    expect(html).toMatch(new RegExp(`<a href="${link}" ses:no-track `));
  });

  it('has no placeholders for SES but its own, whatever authors and people wrote', () => {
    const hostile = fc.stringMatching(/^[a-z{}\\<>&"'|#/ ]{1,40}$/).filter((text) => !text.includes('{{'));
    fc.assert(
      fc.property(hostile, hostile, (written, name) => {
        const person = { ...ada, firstName: name };
        const blocks: Block[] = [
          { type: 'paragraph', text: written },
          { type: 'image', src: 'https://example.com/a.png', alt: written },
          { type: 'paragraph', text: '{{firstName|x}}' },
        ];
        const { template, subject, html, text } = rendered(blocks, { subject: `${written} {{firstName|x}}`, person });
        for (const part of [template.subject, template.html, template.text]) {
          expect(part.replace(placeholders, '')).not.toMatch(/\{\{|\}\}/);
        }
        for (const part of [template.subject, template.text]) {
          expect(part.replace(placeholders, '')).not.toMatch(/[{}\\]/);
        }
        expect(subject).toBe(`${written} ${name.trim() === '' ? 'x' : name.trim()}`);
        expect(text).toContain(written.trimEnd());
        expect(shown(html)).toContain(written.trim());
        expect(html).not.toMatch(/<(?:script|img(?! src="https:\/\/example\.com\/a\.png" alt=))/);
      }),
    );
  });

  it('writes values of people on one line and escapes them for their position', () => {
    const person = {
      ...ada,
      firstName: '{{html}}\r\nBcc: eve@example.net',
      fields: { city: '<script>alert(1)</script>' },
    };
    const { subject, html, text } = rendered([{ type: 'paragraph', text: '{{firstName}} {{fields.city}}' }], {
      subject: '{{firstName}}',
      person,
    });
    expect(subject).toBe('{{html}} Bcc: eve@example.net');
    expect(text).toContain('{{html}} Bcc: eve@example.net <script>alert(1)</script>');
    expect(html).toContain('&#123;&#123;html&#125;&#125; Bcc: eve@example.net &lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('lists every web link once, in order', () => {
    const { template } = rendered([
      { type: 'paragraph', text: '[a](https://a.example/x) [b](https://b.example/?q=1&r=2) [a](https://a.example/x)' },
      { type: 'button', label: 'Write', href: 'mailto:hi@example.com' },
      { type: 'image', src: 'https://c.example/i.png', alt: '', href: 'https://c.example/' },
    ]);
    expect(template.links).toEqual(['https://a.example/x', 'https://b.example/?q=1&r=2', 'https://c.example/']);
  });

  it('reports the position of every problem', () => {
    const { problems } = rendered([
      { type: 'paragraph', text: 'ok\n{{nobody}}' },
      { type: 'button', label: 'x', href: 'javascript:alert(1)' },
      { type: 'columns', columns: [[{ type: 'image', src: 'ftp://a.example/x', alt: '' }], [{ type: 'divider' }]] },
    ]);
    expect(problems.map(({ path, text }) => [path, text.en])).toEqual([
      [[0, 'text'], expect.stringMatching(/^line 2, column 1: there is no merge field/)],
      [[1, 'href'], expect.stringMatching(/must start with/)],
      [[2, 'columns', 0, 0, 'src'], expect.stringMatching(/must start with/)],
    ]);
  });
});
