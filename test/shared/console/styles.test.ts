import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'shared/console/browser';
/** Parts of the style sheet of every page. The others are of sections, and more than one of them may be on a page. */
const shared = ['layout.css', 'elements.css', 'forms.css', 'widgets.css'];

/** The selectors of a style sheet, one by one. */
function selectorsOf(source: string): string[] {
  const sheet = source.replaceAll(/\/\*.*?\*\//gs, '');
  return [...sheet.matchAll(/([^{};]+)\{/g)]
    .flatMap(([, prelude = '']) => prelude.split(/,(?![^(]*\))/))
    .map((selector) => selector.trim())
    .filter((selector) => !selector.startsWith('@'));
}

const classesIn = (selector: string): string[] =>
  [...selector.matchAll(/\.(-?[a-zA-Z_][\w-]*)/g)].map(([, name = '']) => name);

/** The class that a rule is about, wherever it stands: `.pair`, `.pair:hover`, and not `.card > .pair`. */
const declaredBy = (selector: string): string | null =>
  /^\.(-?[a-zA-Z_][\w-]*)(?::[\w-]+)*$/.exec(selector)?.[1] ?? null;

const sheets = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.css'))
    .map((name) => [name, selectorsOf(readFileSync(join(folder, name), 'utf8'))]),
);

/** `sections.css: .pair` for each class that one sheet declares and another one mentions. */
function clashes(all: ReadonlyMap<string, readonly string[]>): string[] {
  const ofSections = [...all].filter(([name]) => !shared.includes(name));
  return ofSections.flatMap(([name, selectors]) => {
    const others = new Set(
      [...all].filter(([other]) => other !== name).flatMap(([, theirs]) => theirs.flatMap(classesIn)),
    );
    const own = new Set(selectors.map(declaredBy).filter((declared) => declared !== null));
    return [...own].filter((declared) => others.has(declared)).map((declared) => `${name}: .${declared}`);
  });
}

describe('the style sheets of the console', () => {
  it('are all checked', () => {
    expect([...sheets.keys()]).toEqual(expect.arrayContaining([...shared, 'sections.css', 'editor.css']));
    for (const [, selectors] of sheets) expect(selectors.length).toBeGreaterThan(5);
  });

  it('declare each class in one file: a section refines a class of another file and never reuses its name', () => {
    expect(clashes(sheets)).toEqual([]);
  });

  it('fail this check when one takes a name', () => {
    const two = new Map([
      ['a.css', selectorsOf('.pair { gap: 1px } .card > .row { margin: 0 } @media (width > 3rem) { .own { top: 0 } }')],
      ['b.css', selectorsOf('.half .pair { gap: 0 } .row, .pair:hover { margin: 0 }')],
    ]);
    expect(clashes(two)).toEqual(['a.css: .pair', 'b.css: .row', 'b.css: .pair']);
  });
});
