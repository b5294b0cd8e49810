import { parseSync } from '@swc/core';
import { readSources, type Sources } from './importGraph.ts';

/** The types, interfaces, enums and classes that a file declares at its top level. */
function declaredTypes(source: string): { readonly name: string; readonly isExported: boolean }[] {
  return parseSync(source, { syntax: 'typescript', target: 'es2024' }).body.flatMap((item) => {
    const isExported = item.type === 'ExportDeclaration';
    const declaration = isExported ? item.declaration : item;
    switch (declaration.type) {
      case 'TsInterfaceDeclaration':
      case 'TsTypeAliasDeclaration':
      case 'TsEnumDeclaration':
        return [{ name: declaration.id.value, isExported }];
      case 'ClassDeclaration':
        return [{ name: declaration.identifier.value, isExported }];
      default:
        return [];
    }
  });
}

/** Names of exported types that another file declares too, exported or not, with the files. */
function repeatedNames(sources: Sources): string[] {
  const files = new Map<string, string[]>();
  const exported = new Set<string>();
  for (const [path, source] of sources) {
    if (!/^(?:shared|functions|infra)\/.*\.ts$/.test(path)) continue;
    for (const { name, isExported } of declaredTypes(source)) {
      files.set(name, [...(files.get(name) ?? []), path]);
      if (isExported) exported.add(name);
    }
  }
  return [...files].flatMap(([name, paths]) =>
    exported.has(name) && paths.length > 1 ? [`${name}: ${paths.join(', ')}`] : [],
  );
}

describe('the name of an exported type', () => {
  it('is declared once: one word has one meaning in the whole project', () => {
    expect(repeatedNames(readSources())).toEqual([]);
  });

  it.each([
    ['export interface Page {}', 'export type Page = 1;'],
    ['export type Page<Entry> = Entry[];', 'export class Page {}'],
    ['export abstract class Page {}', 'interface Page {}'],
    ['type Page = 1;', 'export declare enum Page {}'],
  ])('is found twice in %s and %s', (one, other) => {
    const sources = new Map([
      ['shared/domain/a.ts', one],
      ['infra/local/b.ts', other],
    ]);
    expect(repeatedNames(sources)).toEqual(['Page: shared/domain/a.ts, infra/local/b.ts']);
  });

  it('may be that of a function, and of types of which none is exported', () => {
    const sources = new Map([
      ['shared/domain/a.ts', 'type Page = 1; export type Row = 1;'],
      ['shared/domain/b.ts', 'type Page = 2; export function Row() {}'],
    ]);
    expect(repeatedNames(sources)).toEqual([]);
  });
});
