import { dirname } from 'node:path';
import { readSources } from './importGraph.ts';

const most = 15;

describe('a folder', () => {
  it(`holds at most ${most} source files side by side`, () => {
    const folders = Map.groupBy(readSources().keys(), dirname);
    const crowded = [...folders].filter(([, files]) => files.length > most);
    expect(crowded.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
  });
});
