import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const folder = 'shared/console/assets';
/** What every page has; the others are of rooms, and more than one of them may be on a page. */
const frame = ['style.ts', 'partsStyle.ts'];

/** The selectors of a sheet, one by one. */
function selectorsOf(source: string): string[] {
  const sheet = source.slice(source.indexOf('html`') + 5, source.lastIndexOf('`')).replaceAll(/\/\*.*?\*\//gs, '');
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
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /style\.ts$/i.test(path))
    .map((path) => [basename(path), selectorsOf(readFileSync(join(folder, path), 'utf8'))]),
);

/** `roomsStyle.ts: .pair` for each class that one sheet declares and another one speaks of as well. */
function clashes(all: ReadonlyMap<string, readonly string[]>): string[] {
  const rooms = [...all].filter(([name]) => !frame.includes(name));
  return rooms.flatMap(([name, selectors]) => {
    const others = new Set(
      [...all].filter(([other]) => other !== name).flatMap(([, theirs]) => theirs.flatMap(classesIn)),
    );
    const own = new Set(selectors.map(declaredBy).filter((declared) => declared !== null));
    return [...own].filter((declared) => others.has(declared)).map((declared) => `${name}: .${declared}`);
  });
}

describe('the style sheets of the console', () => {
  it('are all looked at', () => {
    expect([...sheets.keys()]).toEqual(expect.arrayContaining([...frame, 'roomsStyle.ts', 'editorStyle.ts']));
    for (const [, selectors] of sheets) expect(selectors.length).toBeGreaterThan(5);
  });

  it('declare each class in one place: a room refines what another sheet has, and never takes its name', () => {
    expect(clashes(sheets)).toEqual([]);
  });

  it('would be found to do so', () => {
    const sheet = (text: string) => selectorsOf(`html\`${text}\``);
    const two = new Map([
      ['a.ts', sheet('.pair { gap: .5rem } .card > .row { margin: 0 } @media (min-width: 3rem) { .own { top: 0 } }')],
      ['b.ts', sheet('.half .pair { gap: 0 } .row, .pair:hover { margin: 0 }')],
    ]);
    expect(clashes(two)).toEqual(['a.ts: .pair', 'b.ts: .row', 'b.ts: .pair']);
  });
});
