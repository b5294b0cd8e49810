import { defaultData, substitute } from '../../../../shared/domain/content/messageTemplate.ts';
import { readContent } from '../../../../shared/domain/content/readContent.ts';
import { renderTemplate } from '../../../../shared/domain/content/render.ts';

const problemsOf = (html: string) => readContent([{ type: 'html', html }]).problems.map(({ text }) => text.en);

describe('a block of HTML', () => {
  it('is sent with its merge fields, links and text', () => {
    const html = '<p>Hi <b>{{firstName|you}}</b>, <a href="https://example.com/a?b=1">see</a></p>';
    const { blocks: read } = readContent([{ type: 'html', html }]);
    const template = renderTemplate(
      { subject: '', preheader: null, blocks: read },
      { workspaceName: 'Acme', language: 'en' },
    );
    const shown = (part: 'html' | 'text') => substitute(template[part], defaultData(template));
    expect(shown('html')).toContain('<p>Hi <b>you</b>, <a href="https://example.com/a?b=1">see</a></p>');
    expect(shown('text')).toContain('Hi you, see (https://example.com/a?b=1)\n\n--');
    expect(template.links).toEqual(['https://example.com/a?b=1']);
  });

  it.each([
    ['<script>alert(1)</script>', /"<script>" is not possible/],
    ['<p onclick="x()">a</p>', /has a script/],
    ['<style>p{color:red}</style>a', /"<style>" is not possible/],
    ['<a href="javascript:x">a</a>', /must start with/],
    ['</td></tr></table>a', /an end tag closes/],
    ['<div>a', /"<div>" is not closed/],
    ['<td>a</td>', /outside a table/],
    ['<b><i>a</b></i>', /an end tag closes/],
    ['<body>a</body>', /"<body>" is not possible/],
    ['<p>{{nobody}}</p>', /no merge field/],
  ])('is refused where it would break the message or is unsafe: %s', (html, problem) => {
    expect(problemsOf(html).some((text) => problem.test(text))).toBe(true);
  });

  it('may hold a table of its own, and images', () => {
    expect(problemsOf('<table><tr><td>a<br><img src="https://example.com/a.png" alt="A"></td></tr></table>')).toEqual(
      [],
    );
  });
});

describe('the colours of a block', () => {
  it('must be readable on its background', () => {
    const block = { type: 'paragraph', text: 'a' } as const;
    const problems = (more: object) => readContent([{ ...block, ...more }]).problems.map(({ path }) => path);
    expect(problems({ color: '#cccccc' })).toEqual([[0, 'color']]);
    expect(problems({ color: '#cccccc', background: '#102030' })).toEqual([]);
    expect(problems({ color: '#102030', background: '#204030' })).toEqual([[0, 'color']]);
    expect(problems({ background: '#ffcc00' })).toEqual([]);
  });
});
