import { addressProblemTexts } from '../../shared/domain/address.ts';
import { defaultLanguage, inEachLanguage, type Language, languageTags } from '../../shared/language/languages.ts';
import type { Text } from '../../shared/language/text.ts';
import { joinForm } from '../../shared/pages/joinForm.ts';
import { failurePage, layout, linkButton, oneButton, tooLargePage } from '../../shared/pages/layout.ts';
import * as texts from '../../shared/pages/pageTexts.ts';
import { PageDocument } from './documents.ts';

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>{email}</title></style>'`;
const values = { email: hostile, reference: hostile };

const groups = {
  confirm: { question: texts.confirmQuestion, ...texts.confirmTexts },
  decline: { question: texts.declineQuestion, returning: texts.returnQuestion, ...texts.declineTexts },
  unsubscribe: { question: texts.unsubscribeQuestion, ...texts.unsubscribeTexts },
  join: { question: texts.joinQuestion, ...texts.joinTexts },
};

/** Every notice of every page, under a hostile name and with hostile values. */
function everyPage(language: Language): [string, PageDocument][] {
  const notices = Object.entries(groups).flatMap(([group, notices]) =>
    Object.entries(notices as Record<string, texts.PageNotice | texts.Question>).map(
      ([name, notice]) =>
        [
          `${group} ${name}`,
          layout({
            language,
            workspace: hostile,
            notice,
            values,
            actions:
              'button' in notice
                ? oneButton(notice, language)
                : linkButton(texts.linkTexts.signUpForm, '/join/x', language),
          }),
        ] as const,
    ),
  );
  const issues = [
    { path: 'email', text: addressProblemTexts.no_at },
    { path: 'lastName', text: inEachLanguage(() => hostile) },
  ];
  const forms = [
    ['form', joinForm(language, { name: hostile })],
    [
      'form with mistakes',
      joinForm(
        language,
        {
          name: hostile,
          form: {
            text: hostile,
            privacyUrl: hostile,
            fields: [
              { name: 'city', label: hostile },
              { name: 'size', label: hostile, choices: [hostile, 'M'] },
            ],
          },
        },
        {
          token: hostile,
          fields: { email: hostile, firstName: hostile, lastName: hostile, own: { city: hostile } },
          issues,
        },
      ),
    ],
    ['form that was open for too long', joinForm(language, { name: hostile }, { isStale: true })],
    ['failure', failurePage(language, hostile).document],
    ['too large', tooLargePage(language).document],
    ['without a workspace', layout({ language, workspace: null, notice: texts.joinTexts.unknown })],
  ] as const;
  return [...notices, ...forms].map(([name, document]) => [name, new PageDocument(String(document))]);
}

describe.each(languageTags)('every page in %s', (language) => {
  const pages = everyPage(language);

  it.each(pages)('%s: has one main heading, a title, a language and a main landmark', (_name, page) => {
    expect(page.attribute('html', 'lang')).toEqual([language]);
    expect(page.all('h1')).toHaveLength(1);
    expect(page.all('main')).toHaveLength(1);
    expect(page.text('title')[0]?.trim()).not.toBe('');
    expect(page.attribute('meta', 'name')).toContain('viewport');
  });

  it.each(pages)(
    '%s: runs nothing, fetches nothing, and has no style beside the one that the policy knows',
    (_name, page) => {
      for (const tag of ['script', 'img', 'iframe', 'object', 'embed', 'base', 'svg'])
        expect(page.all(tag)).toEqual([]);
      expect(page.all('style')).toHaveLength(1);
      expect(page.attributes().filter(([name]) => name === 'style' || name.startsWith('on'))).toEqual([]);
      expect(page.attribute('link', 'href')).toEqual(['data:,']);
      expect(page.attribute('form', 'action').filter((action) => action !== undefined)).toEqual([]);
    },
  );

  it.each(pages.filter(([, page]) => page.all('bdi').length > 0))(
    '%s: shows what is hostile as text',
    (_name, page) => {
      for (const text of page.text('bdi')) expect(text).toBe(hostile);
      for (const value of page.attribute('input', 'value')) expect(['', hostile, undefined]).toContain(value);
    },
  );

  it.each(pages)('%s: names each field that a person can use', (_name, page) => {
    const ids = [...page.attribute('input', 'id'), ...page.attribute('select', 'id')];
    expect(page.attribute('label', 'for').sort()).toEqual(ids.sort());
  });
});

/** Every text in a tree of constants. */
function* textsIn(node: unknown): Generator<Partial<Text>> {
  if (typeof node !== 'object' || node === null) return;
  if (Object.hasOwn(node, defaultLanguage)) yield node as Partial<Text>;
  else for (const child of Object.values(node)) yield* textsIn(child);
}

describe('texts', () => {
  it('fill the same places in every language', () => {
    const places = (sentence: string | undefined) => (sentence?.match(/\{\w+\}/g) ?? []).sort();
    const all = [...textsIn(texts)];
    expect(all.length).toBeGreaterThan(40);
    for (const words of all) {
      for (const language of languageTags) expect(places(words[language])).toEqual(places(words[defaultLanguage]));
    }
  });

  it('keep French punctuation on its line', () => {
    const french = [...textsIn(texts)].map(({ fr }) => `"${fr}"`);
    expect(french.length).toBeGreaterThan(40);
    expect(french.filter((sentence) => /[^\u00a0][:;?!]/.test(sentence))).toEqual([]);
  });
});

describe('the form', () => {
  it('keeps what was typed, marks the field and says what is wrong in the reader’s language', () => {
    const given = { email: 'ada', firstName: 'Ada', lastName: 'L', own: {} };
    const page = new PageDocument(
      String(
        joinForm(
          'fr',
          { name: 'Acme' },
          { fields: given, issues: [{ path: 'email', text: addressProblemTexts.no_at }] },
        ),
      ),
    );
    expect(page.attribute('input', 'value')).toEqual(['ada', 'Ada', 'L', undefined, '']);
    expect(page.attribute('input', 'aria-invalid')).toEqual(['true', ...Array(4).fill(undefined)]);
    expect(page.attribute('input', 'aria-describedby')[0]).toBe('email-problem');
    expect(page.source).toContain('L’adresse ne contient pas de @.');
    expect(page.text('title')[0]).toMatch(/^Erreur/);
  });

  it('asks for a missing address', () => {
    const page = joinForm('en', { name: 'Acme' }, { issues: [{ path: 'email', text: addressProblemTexts.empty }] });
    expect(String(page)).toContain('Enter your email address.');
  });

  it('hides the trap from people who see, listen or use the keyboard', () => {
    const page = new PageDocument(String(joinForm('en', { name: 'Acme' })));
    const trap = page.all('input').find((input) => input.attribs.name === 'website');
    expect(trap?.attribs).toMatchObject({ tabindex: '-1', autocomplete: 'off' });
    expect((trap?.parent as { attribs?: object } | null | undefined)?.attribs).toMatchObject({ 'aria-hidden': 'true' });
  });
});
