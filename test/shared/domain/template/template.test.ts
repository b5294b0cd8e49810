import fc from 'fast-check';
import { parseDocument } from 'htmlparser2';
import { compileTemplate } from '../../../../shared/domain/template/compile.ts';
import { fillTemplate, type TemplateSource, type VariableValues } from '../../../../shared/domain/template/template.ts';

const frame = { workspaceName: 'Acme', language: 'en' } as const;
const nothing: TemplateSource = { subject: null, preheader: null, html: null, text: null, blocks: null, variables: [] };

function compiled(source: Partial<TemplateSource>) {
  const result = compileTemplate({ ...nothing, ...source }, frame);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.message;
}
function problems(source: Partial<TemplateSource>): string[] {
  const result = compileTemplate({ ...nothing, ...source }, frame);
  return result.ok ? [] : result.problems.map(({ path, text }) => `${path.join('.')}: ${text.en}`);
}
function filled(source: Partial<TemplateSource>, values: VariableValues = {}) {
  const result = fillTemplate(compiled(source), values);
  if (!result.ok) throw new Error(result.problems.map(({ key, text }) => `${key}: ${text.en}`).join('; '));
  return result;
}

describe('a value of a template', () => {
  it('is inserted in each part, escaped in HTML', () => {
    const hostile = '<b>"Ada" & \'co\'</b> {{name}} \\ ';
    const { subject, html, text } = filled(
      { subject: 'To {{name}}', html: '<p title="{{name}}">{{ name }}</p>', text: '{ {{name}} }' },
      { name: hostile },
    );
    const line = hostile.trim();
    expect(subject).toBe(`To ${line}`);
    expect(text).toBe(`{ ${line} }`);
    const [paragraph] = parseDocument(html ?? '').childNodes as unknown as [
      { attribs: { title: string }; children: [{ data: string }] },
    ];
    expect([paragraph.attribs.title, paragraph.children[0].data]).toEqual([line, line]);
  });

  it('comes from the send, else from the fallback of its slot, else from its declaration, which may be empty', () => {
    const source = {
      text: '{{a|place}} {{b}} {{c}}.',
      variables: [
        { key: 'b', type: 'string', fallback: 'declared' },
        { key: 'c', type: 'number', fallback: 0 },
      ] as const,
    };
    expect(filled(source).text).toBe('place declared 0.');
    expect(filled(source, { a: 'A', b: true, c: 7 }).text).toBe('A true 7.');
    expect(filled(source, { a: '', b: '' }).text).toBe('place declared 0.');
    expect(filled({ text: '[{{a}}]' }, { a: '' }).text).toBe('[]');
    expect(filled({ text: '[{{a}}]', variables: [{ key: 'a', type: 'string', fallback: '' }] }).text).toBe('[]');
  });

  it('is required by name without a fallback, and must be a number where one is declared', () => {
    const source = {
      subject: '{{order}}',
      html: '<p>{{toString}} {{order}} {{total}}</p>',
      variables: [{ key: 'total', type: 'number', fallback: null }] as const,
    };
    expect(() => filled(source)).toThrow(/^order: is required.*; toString: is required.*; total: is required/);
    expect(() => filled(source, { order: '1', toString: 'x', total: '7' } as VariableValues)).toThrow(
      'total: must be a number',
    );
  });

  it('starts no header and no line', () => {
    const name = 'Ada\r\nBcc: eve@example.net\u2028\u0000x';
    expect(filled({ subject: '{{name}}', text: '{{name}}' }, { name })).toMatchObject({
      subject: 'Ada Bcc: eve@example.net x',
      text: 'Ada Bcc: eve@example.net x',
    });
  });

  it('is safe in links: at the start it must be an address, inside one it is encoded', () => {
    const html = '<a href="{{url}}/x">1</a><a href=\'https://example.com/?q={{q}}&amp;r=1\'>2</a><img src=" {{src}}">';
    const good = { url: 'https://example.com', q: 'a&b="\'#/{{x}}', src: 'https://example.com/a.png?x="' };
    const { html: out } = filled({ html }, good);
    expect(out).toBe(
      '<a href="https://example.com/x">1</a>' +
        "<a href='https://example.com/?q=a%26b%3D%22&#39;%23%2F%7B%7Bx%7D%7D&amp;r=1'>2</a>" +
        '<img src=" https://example.com/a.png?x=&quot;">',
    );
    for (const bad of ['javascript:alert(1)', ' JaVa\tscript:alert(1)', 'data:text/html,x', '//example.com', 'x']) {
      expect(() => filled({ html }, { ...good, url: bad })).toThrow(/^url: /);
      expect(() => filled({ html }, { ...good, src: bad })).toThrow(/^src: /);
    }
    expect(() => filled({ html }, { ...good, src: 'mailto:ada@example.net' })).toThrow(/^src: /);
  });

  it('never creates an element, attribute or placeholder', () => {
    const html =
      '<p class="{{a}}">{{a}}<a href="https://example.com/{{b}}">{{b}}</a></p><!--[if mso]><b>{{a}}</b><![endif]-->';
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (a, b) => {
        const out = filled({ html, subject: '{{a}}' }, { a: a || 'x', b: b || 'x' });
        const shape = (text: string) => JSON.stringify(shapeOf(parseDocument(text).childNodes));
        expect(shape(out.html ?? '')).toBe(shape(html.replaceAll(/\{\{.\}\}/g, 'x')));
        expect(out.subject).not.toMatch(/[\r\n]/);
      }),
    );
  });
});

interface Node {
  readonly name?: string;
  readonly attribs?: Record<string, string>;
  readonly childNodes?: readonly Node[];
}
const shapeOf = (nodes: readonly unknown[]): unknown[] =>
  (nodes as readonly Node[]).map(({ name, attribs, childNodes }) => [
    name,
    Object.keys(attribs ?? {}),
    shapeOf((childNodes ?? []).filter((node) => node.name)),
  ]);

describe('the text of a template', () => {
  it('may use three braces as two, and keeps the variable for the unsubscribe link', () => {
    const { html, text } = filled(
      { html: '<p>{{{NAME}}} <a href="{{unsubscribe_url}}">out</a></p>', text: '{{{NAME}}} {{unsubscribe_url}}' },
      { NAME: '<i>' },
    );
    expect(html).toBe('<p>&lt;i&gt; <a href="{{unsubscribe_url}}">out</a></p>');
    expect(text).toBe('<i> {{unsubscribe_url}}');
  });

  it('is refused where no escaping can make a value safe', () => {
    const refused = [
      '<script>{{x}}</script>',
      '<style>p { color: {{x}} }</style>',
      '<style>p{}</STYLE ><p>{{x}}',
      '<p style="color:{{x}}">',
      '<p onclick="{{x}}">',
      '<a href={{x}}>',
      '<a {{x}}>',
      '<{{x}}>',
      '<p\nsrcdoc="{{x}}">',
      '<form action="{{x}}">',
      '<!-- {{x}} -->',
      '<!doctype {{x}}>',
      '<a href="x" title = {{x}} >',
    ];
    for (const html of refused)
      expect([html, problems({ html })]).toEqual([html, [expect.stringMatching(/^html: "\{\{x\}\}" is where/)]]);
    const taken = [
      '<style>a{b:c}</style><p>{{x}}</p>',
      '<!doctype html><p>{{x}}',
      '<!-- a > b --><p>{{x}}',
      '<!--[if gte mso 9]><td>{{x}}</td><![endif]-->{{x}}',
      '<!--[if !mso]><!-->{{x}}<!--<![endif]-->{{x}}',
      '<br/><img alt=\'{{x}}\' src="cid:logo"/>{{x}}',
      '1 < 2 {{x}}',
      '<p data-x=1>{{x}}',
    ];
    for (const html of taken) expect([html, problems({ html })]).toEqual([html, []]);
  });

  it('is refused with all its problems', () => {
    expect(problems({})).toEqual([expect.stringMatching(/^html: one of/)]);
    expect(
      problems({
        subject: '{{a',
        preheader: 'x',
        html: '{{1x}}',
        variables: [
          { key: 'a', type: 'string', fallback: null },
          { key: 'a', type: 'string', fallback: null },
        ],
      }).map((problem) => problem.split(':')[0]),
    ).toEqual(['preheader', 'subject', 'html', 'variables.1.key']);
    const blocks = [{ type: 'button', label: 'Go', href: 'https://example.com/{{id}}' }] as const;
    expect(problems({ blocks, text: 'x' })).toEqual([
      expect.stringMatching(/^content: give the body either/),
      expect.stringMatching(/^content.0.href: a link must not contain a merge field/),
    ]);
  });
});

describe('a template of blocks', () => {
  const blocks = [{ type: 'paragraph', text: 'Hello **{{firstName|there}}**, order {{order}}' }] as const;

  it('is rendered as a campaign is, without the subscription footer', () => {
    const { subject, html, text } = filled(
      { subject: 'Order {{order}}', preheader: 'For {{firstName|you}}', blocks },
      { order: '<7>' },
    );
    expect(subject).toBe('Order <7>');
    expect(text).toBe('Hello there, order <7>\n');
    expect(html).toContain('order &lt;7&gt;');
    expect(html).toContain('For you');
    expect(html).not.toMatch(/nsubscribe|subscribed/);
  });
});
