import fc from 'fast-check';
import { parseDocument } from 'htmlparser2';
import { defaultData, personalData, substitute } from '../../../../shared/domain/content/messageTemplate.ts';
import { renderHtml } from '../../../../shared/domain/content/render.ts';
import { readHtml } from '../../../../shared/domain/content/writtenHtml.ts';

const link = 'https://mail.example.com/u/1?a=1&b=2';
const person = {
  email: 'ada@example.net',
  firstName: '<b>"Ada"</b>',
  lastName: null,
  fields: { city: "{{x}} \\ 'Rome'" },
};

interface Written {
  readonly preheader?: string | null;
  readonly plainText?: string | null;
}

/** The message as SES would send it to this person. */
function sent(html: string, { preheader = null, plainText = null }: Written = {}) {
  const content = { subject: 'S', preheader, html, plainText };
  const message = renderHtml(content, { workspaceName: 'Acme', language: 'en' });
  const data = { ...defaultData(message), ...personalData(message, person, link) };
  return { message, html: substitute(message.html, data), text: substitute(message.text, data) };
}

const problemsOf = (html: string) => readHtml(html).problems.map(({ text }) => text.en);
const footer = 'You receive this message because you subscribed to Acme.';

describe('a message that is HTML', () => {
  it('is sent as written, with escaped values', () => {
    const body =
      '<!DOCTYPE html><html><body><p title=\'x {{firstName|"you"}}\'>Hi {{firstName|you}} of {{fields.city}} {{lastName|l&#39;ami &amp; co}}</p></body></html>';
    const { html, text } = sent(body);
    expect(html).toContain("<p title='x &lt;b&gt;&quot;Ada&quot;&lt;/b&gt;'>Hi &lt;b&gt;&quot;Ada&quot;&lt;/b&gt; of");
    expect(html).toContain('of &#123;&#123;x&#125;&#125; &#92; &#39;Rome&#39; l&#39;ami &amp; co</p>');
    expect(html.startsWith('<!DOCTYPE html><html><body><p')).toBe(true);
    expect(text.startsWith("Hi <b>\"Ada\"</b> of {{x}} \\ 'Rome' l'ami & co\n\n--\n")).toBe(true);
  });

  it('gets a link to unsubscribe in each part that has none', () => {
    const without = sent('<html><body><p>Hi</p></body></html>');
    expect(without.html).toMatch(
      /<a href="https:\/\/mail\.example\.com\/u\/1\?a=1&amp;b=2" ses:no-track.*<\/div><\/body><\/html>$/,
    );
    expect([without.html, without.text].every((part) => part.includes(footer))).toBe(true);
    expect(without.text.endsWith(`Unsubscribe or change your preferences: ${link}\n`)).toBe(true);
    const own = sent('<p>Hi <a href="{{unsubscribe_url}}">Leave</a></p>');
    expect(own.html).toBe('<p>Hi <a href="https://mail.example.com/u/1?a=1&amp;b=2" ses:no-track>Leave</a></p>');
    expect(own.text).toBe(`Hi Leave (${link})\n`);
    const half = sent('<p>Hi</p>', { plainText: 'Hi {{firstName|you}}\r\nLeave: {{unsubscribe_url}}\n' });
    expect([half.html.includes(footer), half.text]).toEqual([true, `Hi <b>"Ada"</b>\nLeave: ${link}\n`]);
    expect(sent('<p>{{ unsubscribe_url }}</p>').html).toBe('<p>https://mail.example.com/u/1?a=1&amp;b=2</p>');
  });

  it.each([
    '<!-- <a href="{{unsubscribe_url}}">x</a> --><p>Hi</p>',
    '<!--[if mso]><a href="{{unsubscribe_url}}">x</a><![endif]--><p>Hi</p>',
    '<title>{{unsubscribe_url}}</title><p>Hi</p>',
    '<link href="{{unsubscribe_url}}"><p>Hi</p>',
    '<textarea>{{unsubscribe_url}}</textarea><p>Hi</p>',
  ])('gets one also if its own is not shown to everybody: %s', (html) => {
    expect(problemsOf(html)).toEqual([]);
    expect(sent(html).html).toContain(footer);
  });

  it('keeps its links, counted by their addresses, and is tracked where they lead to the web', () => {
    const { message, html } = sent(
      '<a href="https://EXAMPLE.com/a?x=1&amp;y={2}">a</a><a href=https://example.com/b>b</a><a href="mailto:a@example.com">m</a><a href="#top">t</a><a ses:no-track href="https://example.com/c">c</a>',
    );
    expect(message.links).toEqual([
      'https://example.com/a?x=1&y=%7B2%7D',
      'https://example.com/b',
      'https://example.com/c',
    ]);
    expect(html).toContain(
      '<a href="https://example.com/a?x=1&amp;y=%7B2%7D">a</a><a href="https://example.com/b">b</a>',
    );
    expect(html).toContain('<a href="mailto:a@example.com" ses:no-track>m</a><a href="#top" ses:no-track>t</a>');
    expect(html.match(/ses:no-track/g)).toHaveLength(4);
  });

  it('keeps style sheets, whatever braces they have, and gives SES no other double brace than its variables', () => {
    const css = '@media (max-width: 9px){.a{color:red}}.b:after{content:"\\201C{{"}'.replace('{{', '');
    const { html, message } = sent(`<style>${css}</style><p style="x:{y}" title="a } {{firstName}}">{ } \\ }}</p>`);
    expect(html).toContain(`<style>${css}</style>`);
    expect(html).toContain('<p style="x:&#123;y&#125;" title="a &#125; &lt;b');
    expect(message.html.replace(/\{\{\w+\}\}/g, '')).not.toMatch(/\{\{|\}\}|\\/);
    expect(message.html).not.toMatch(/\{\{\{|\}\}\}/);
  });

  it('keeps the comments for Outlook, and no others', () => {
    const html =
      '<!--[if mso]><table><tr><td><v:rect href="https://example.com/v" fill="t"/>Hi {{firstName|<}}<![endif]--><!--[if !mso]><!--><p>a</p><!--<![endif]--><![if !mso]>b<![endif]><!-- secret --><?xml version="1"?>';
    expect(problemsOf(html)).toEqual([]);
    const { html: shown, message, text } = sent(html);
    expect(shown).toContain('<!--[if mso]><table><tr><td><v:rect href="https://example.com/v" fill="t" />Hi &lt;b&gt;');
    expect(shown).toContain('<![endif]--><!--[if !mso]><!--><p>a</p><!--<![endif]--><![if !mso]>b<![endif]><div');
    expect(message.links).toEqual(['https://example.com/v']);
    expect(text.startsWith('a\n\nb\n\n--')).toBe(true);
  });

  it('begins with its preview text, wherever the body begins', () => {
    const shown = (html: string) =>
      sent(html, { preheader: 'P {{firstName|x}}' }).html.replace(/<div style="display:none.*?<\/div>/s, '|PRE|');
    expect(shown('<html><head><title>t</title></head><body class="a"><p>x</p></body></html>')).toMatch(
      /<body class="a">\|PRE\|<p>/,
    );
    expect(shown('<!doctype html><p>x</p>')).toMatch(/^<!doctype html>\|PRE\|<p>/);
    expect(shown('<p>x</p>')).toMatch(/^\|PRE\|<p>/);
    expect(shown('<head></head><p>x</p>')).toMatch(/^<head><\/head>\|PRE\|<p>/);
  });
});

describe('the text of a message that is HTML', () => {
  const textOf = (html: string) => sent(html).text.split('\n\n--\n')[0];

  it.each([
    ['<h1>News</h1><p>One  two<br>three</p><p>Four</p>', '# News\n\nOne two\nthree\n\nFour'],
    ['<ul><li>a<li>b <ul><li>c</li></ul></li></ul>x', '- a\n- b\n  - c\n\nx'],
    ['<ol><li>a</li><li>b</li></ol>', '1. a\n2. b'],
    [
      '<a href="https://example.com/">Look</a> <a href="https://example.com/">https://example.com/</a>',
      'Look (https://example.com/) https://example.com/',
    ],
    [
      '<a href="mailto:a@example.com">a@example.com</a> <a href="tel:+33 1">Call</a>'.replace('+33 1', '+331'),
      'a@example.com Call (+331)',
    ],
    [
      '<a href="https://example.com/"><img src="https://example.com/a.png" alt="Big  sale"></a>',
      '[Big sale] (https://example.com/)',
    ],
    ['<a href="https://example.com/"><img src="https://example.com/a.png"></a>', 'https://example.com/'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['a<hr>b', `a\n\n${'-'.repeat(40)}\n\nb`],
    [
      '<title>no</title><style>no{}</style><div style="display:none">no<div>no</div></div>yes &amp; &lt;b&gt;',
      'yes & <b>',
    ],
    ['<p>&nbsp;</p><div><div><div>a</div></div></div><div>b</div>', 'a\nb'],
  ])('of %s', (html, text) => {
    expect(textOf(html)).toBe(text);
  });
});

describe('HTML that no message may have', () => {
  it.each([
    ['<p>a</p><script>alert(1)</script>', /<script>/],
    ['<p>a</p><SCRIPT SRC=//x.example></SCRIPT>', /<script>/],
    ['<svg/onload=alert(1)>a', /<svg>/],
    ['<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>', /<math>/],
    ['<iframe src="https://example.com/"></iframe>a', /<iframe>/],
    ['<object data="https://example.com/"></object>a', /<object>/],
    ['<base href="https://evil.example/">a', /<base>/],
    ['<meta http-equiv=" Refresh " content="0;url=https://evil.example/">a', /http-equiv/],
    ['<img src="https://example.com/a.png" onerror=alert(1)>', /on…/],
    ['<body ONLOAD="alert(1)">a</body>', /on…/],
    ['<p/onclick=alert(1)>a', /on…/],
    ['<a href="javascript:alert(1)">a</a>', /must start with https/],
    ['<a href=" java&#10;script:alert(1)">a</a>', /link/],
    ['<a href="&#x6A;avascript:alert(1)">a</a>', /must start with https/],
    ['<a href="data:text/html,<script>alert(1)</script>">a</a>', /link/],
    ['<a href="vbscript:x">a</a>', /must start with https/],
    ['<a href="/relative">a</a>', /must start with https/],
    ['<a href="">a</a>', /must start with https/],
    ['<a href="https://example.com/?e={{email}}">a</a>', /must not contain a merge field/],
    ['<a href="https://example.com/?u={{unsubscribe_url}}">a</a>', /must not contain a merge field/],
    ['<img src="{{fields.x}}">', /must not contain a merge field/],
    ['<img src="data:image/png;base64,AAAA">', /must start with https/],
    [
      '<img srcset="https://example.com/a,b.png 1x, javascript:x 2x" src="https://example.com/a.png">',
      /must start with https/,
    ],
    ['<form action="javascript:alert(1)">a</form>', /must start with https/],
    ['<p style="color:{{fields.color}}">a</p>', /no escaping/],
    ['<style>.a{color:{{fields.color}} }</style>a', /no escaping/],
    ['<p title="{{unsubscribe_url}}">a</p>', /no escaping/],
    ['<p onclick="{{firstName}}">a</p>', /on…/],
    ['<!--[if mso]><script>1</script><![endif]-->a', /<script>/],
    ['<!--[if mso]><a href="javascript:x">x</a><![endif]-->a', /must start with https/],
    ['a {{nothing}}', /no merge field/],
    ['a {{firstName', /not closed/],
    ['a {{{firstName}}}', /not closed/],
    ['a<style>b{}', /<style>.*not closed/],
    ['a<title>b', /<title>.*not closed/],
    ['a<textarea>b', /<textarea>.*not closed/],
    ['a<plaintext>b', /<plaintext>/],
    ['<p> &nbsp;&zwnj; </p><title>a</title>', /no text or image/],
  ])('is refused: %s', (html, problem) => {
    expect(problemsOf(html)).toEqual([expect.stringMatching(problem), ...problemsOf(html).slice(1)]);
  });

  it('is all named, with its place, and at most a hundred times', () => {
    const problems = readHtml('<p>ok</p>\n<a href="x">a</a><b onclick="1">b</b>').problems;
    expect(problems.map(({ at }) => at)).toEqual([13, 30]);
    expect(readHtml('<script>'.repeat(5000)).problems.length).toBeLessThanOrEqual(100);
  });

  it('is never sent: what is sent of anything that is accepted has no script, handler or other scheme', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...[
          '<',
          '>',
          '"',
          "'",
          '=',
          '/',
          '<!--',
          '-->',
          '--!>',
          '<![if x]>',
          '[if mso]>',
          '<![endif]',
          '<style>',
          '</style>',
        ],
        ...[
          '<a href=',
          '<img src=',
          'javascript:alert(1)',
          'https://example.com/',
          ' onclick=',
          '<p title=',
          '<title>',
        ],
        ...[
          '</title>',
          '<textarea>',
          '</textarea>',
          '<script>',
          '</script>',
          '{{firstName|"><script>}}',
          '{{unsubscribe_url}}',
        ],
        ...[
          '&lt;',
          '&#60;',
          '&',
          '{',
          '}',
          '\\',
          ' ',
          '\n',
          'a',
          '<noscript>',
          '</noscript>',
          '<select>',
          '<td>',
          '</p>',
        ],
      ),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const html = pieces.join('');
        if (readHtml(html).problems.length > 0) return;
        const { message, html: shown } = sent(html);
        expect(message.html.replace(/\{\{\w+\}\}/g, '')).not.toMatch(/\{\{|\}\}|\\/);
        const all = [...elementsOf(parseDocument(shown).children)];
        for (const { name, attribs } of all) {
          expect(name).not.toBe('script');
          expect(Object.keys(attribs).filter((attribute) => attribute.startsWith('on'))).toEqual([]);
          for (const value of [attribs.href, attribs.src]) expect(value ?? '#').toMatch(/^(?:https?:|mailto:|tel:|#)/);
        }
        expect(
          all.some(({ name, attribs }) => name === 'a' && attribs.href === link) ||
            shown.includes(link.replace('&', '&amp;')),
        ).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('is read and sent at its full length, however it repeats itself', () => {
    const repeated = [
      '{{',
      '<a href="https://a.example/">x</a>',
      '&nbsp;',
      '<',
      '<p ',
      '<ul><li>',
      '}',
      '\\\\',
      '{{firstName}}',
    ];
    for (const part of [...repeated, '<!--[if mso]>', '<div style="display:none">', '<a>', '<p title="']) {
      const html = `x${part.repeat(Math.floor(400_000 / part.length))}`;
      const { problems } = readHtml(html);
      expect(problems.length).toBeLessThanOrEqual(100);
      if (problems.length === 0) expect([part, sent(html).text.startsWith('x')]).toEqual([part, true]);
    }
  });
});

interface Node {
  readonly name?: string;
  readonly attribs?: Record<string, string>;
  readonly children?: readonly Node[];
}

function* elementsOf(nodes: readonly object[]): Generator<{ name: string; attribs: Record<string, string> }> {
  for (const node of nodes as readonly Node[]) {
    if (node.name !== undefined && node.attribs) yield { name: node.name, attribs: node.attribs };
    yield* elementsOf(node.children ?? []);
  }
}
