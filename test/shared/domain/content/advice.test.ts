import { adviceOf } from '../../../../shared/domain/content/advice.ts';
import type { Block } from '../../../../shared/domain/content/block.ts';
import { readContent } from '../../../../shared/domain/content/readContent.ts';
import { renderTemplate } from '../../../../shared/domain/content/render.ts';

function advised(blocks: readonly Block[], subject = 'Short', preheader: string | null = 'Look') {
  const content = { subject, preheader, blocks: readContent(blocks).blocks };
  const rendered = renderTemplate(content, { workspaceName: 'Acme', language: 'en' });
  const brand = { address: '1 Main Street' };
  const all = adviceOf({ written: { preheader, blocks }, rendered, sender: 'news@mail.example.com', brand });
  return new Map(all.map((one) => [one.check, one]));
}

const fine: Block[] = [
  { type: 'paragraph', text: 'Hello {{firstName|there}}, [here](https://shop.mail.example.com) and {{email}}' },
  { type: 'image', src: 'https://cdn.example.net/a.png', alt: 'A tree', href: 'https://example.com/tree' },
];

describe('the advice about a message', () => {
  it('finds nothing in a good message', () => {
    const found = advised(fine);
    expect([...found.values()].filter(({ isFine }) => !isFine)).toEqual([]);
    expect(found.get('unsubscribe')?.isFine).toBe(true);
  });

  it('names hosts outside of the sender’s domain, each once, and compares whole labels', () => {
    const text =
      '[a](https://evil-example.com/1) [b](https://evil-example.com/2) [c](https://com/x) [d](mailto:a@b.example)';
    expect(advised([{ type: 'paragraph', text }]).get('foreign_links')?.names).toEqual(['evil-example.com']);
  });

  it('names http addresses and the path of the field', () => {
    const found = advised([
      { type: 'divider' },
      {
        type: 'columns',
        columns: [[{ type: 'image', src: 'http://example.com/a.png', alt: '' }], [{ type: 'divider' }]],
      },
    ]);
    expect(found.get('insecure')).toMatchObject({
      names: ['http://example.com/a.png'],
      path: 'content[1].columns[0][0].src',
    });
    expect(found.get('alternatives')).toMatchObject({ count: 1, path: 'content[1].columns[0][0].alt' });
  });

  it('names merge fields without a fallback, except the address, which everybody has', () => {
    const found = advised([{ type: 'paragraph', text: '{{firstName}} {{fields.city}} {{email}} {{firstName}}' }]);
    expect(found.get('fallbacks')?.names).toEqual(['firstName', 'fields.city']);
  });

  it('counts the characters of the subject as shown', () => {
    expect(advised(fine, `${'é'.repeat(52)}{{firstName|friend}}`).get('subject_length')).toMatchObject({
      isFine: true,
      count: 58,
    });
    expect(advised(fine, '😀'.repeat(61)).get('subject_length')).toMatchObject({ isFine: false, count: 61 });
  });

  it('measures the HTML that Gmail would clip', () => {
    const large = advised([{ type: 'paragraph', text: 'x'.repeat(110_000) }]).get('size');
    expect(large).toMatchObject({ isFine: false });
    expect(large?.count).toBeGreaterThan(110);
  });

  it('reports a missing preview text', () => {
    expect(advised(fine, 'Short', null).get('preheader')?.isFine).toBe(false);
  });
});
