import { fill, html } from '../../shared/pages/html.ts';

describe('html', () => {
  it('escapes whatever is inserted into text and attributes', () => {
    const hostile = `<script>alert('1')</script>" onfocus=\`x\` &amp;`;
    expect(String(html`<p title="${hostile}">${hostile}</p>`)).toBe(
      '<p title="&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; onfocus=&#96;x&#96; &amp;amp;">' +
        '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; onfocus=&#96;x&#96; &amp;amp;</p>',
    );
  });

  it('inserts markup of its own as it is, once', () => {
    expect(String(html`<ul>${['a', '<b>'].map((text) => html`<li>${text}</li>`)}</ul>`)).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>',
    );
    expect(String(html`${html`<br>`}${null}${3}`)).toBe('<br>3');
  });

  it('does not trust an object that only looks like markup', () => {
    const forged = JSON.parse('{"text":"<script>"}');
    forged.toString = () => '<script>';
    expect(() => String(html`${forged}`)).toThrow();
  });

  it('shows control characters and lone surrogates as U+FFFD', () => {
    expect(String(html`${'a\u0000b\u001bc\u0085d\ud800e'}`)).toBe('a\ufffdb\ufffdc\ufffdd\ufffde');
  });
});

describe('fill', () => {
  it('isolates and escapes what it inserts', () => {
    const filled = fill('{workspace} writes to {email}.', { workspace: 'A & B', email: '\u202e<i>@example.com' });
    expect(String(filled)).toBe('<bdi>A &amp; B</bdi> writes to <bdi>\u202e&lt;i&gt;<wbr>@example.com</bdi>.');
  });

  it('does not fill what a value brings along', () => {
    expect(String(fill('{a}', { a: '{b}', b: 'secret' }))).toBe('<bdi>{b}</bdi>');
  });
});
