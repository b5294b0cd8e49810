import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tools } from '../../shared/contract/tools.ts';
import { everyTool } from '../../shared/contract/toolsets.ts';

const read = (page: string) => readFileSync(join(import.meta.dirname, '..', '..', page), 'utf8');
const words = ['five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const inWords = (number: number) => words[number - 5];

describe('figures that the documentation counts', () => {
  it.each([
    ['docs/design/mcp.md', /offers (\d+) tools/, String(tools.length)],
    ['docs/design/mcp.md', /tools, (\d+) more on request/, String(everyTool.length - tools.length)],
    ['docs/design/mcp.md', /and all (\d+) within/, String(everyTool.length)],
    [
      'docs/contribute.md',
      /recipes for (\w+) typical changes/,
      inWords(
        read('CONTRIBUTING.md')
          .split('## Where')[1]
          ?.split('\n## ')[0]
          ?.match(/^\*\*.+\*\*$/gm)?.length ?? 0,
      ),
    ],
  ])('%s: %s', (page, sentence, expected) => {
    expect(sentence.exec(read(page))?.[1]).toBe(expected);
  });
});
