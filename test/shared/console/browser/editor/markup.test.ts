import { bold, italic, link, mergeField } from '../../../../../shared/console/browser/editor/markup.js';

describe('the markup of a text', () => {
  it('encloses what is bold and italic', () => {
    expect([bold('a'), italic('a'), bold('')]).toEqual(['**a**', '*a*', '****']);
  });

  it.each([
    ['Read on', 'https://example.com/a', '[Read on](https://example.com/a)'],
    ['', 'https://example.com/a', '[https://example.com/a](https://example.com/a)'],
    ['a [b] c', 'https://example.com/a b', '[a b c](https://example.com/a%20b)'],
  ])('links "%s" to %s', (label, target, expected) => {
    expect(link(label, target)).toBe(expected);
  });

  it.each([
    ['firstName', '', 'there', '{{firstName|there}}'],
    ['firstName', 'city', '', '{{firstName}}'],
    ['fields', 'my city!', 'here', '{{fields.mycity|here}}'],
    ['fields.city', '', 'a|b}}\r\nc', '{{fields.city|abc}}'],
  ])('merges %s (%s) with the fallback "%s"', (which, name, fallback, expected) => {
    expect(mergeField(which, name, fallback)).toBe(expected);
  });
});
