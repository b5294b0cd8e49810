import type { Block } from './block.ts';

/**
 * The blocks of a campaign that is written as plain `text`: a blank line separates two paragraphs, a line beginning with
 * `# ` is a heading wherever it stands.
 */
export function blocksOfText(text: string): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const end = () => {
    if (paragraph.length > 0) blocks.push({ type: 'paragraph', text: paragraph.join('\n') });
    paragraph = [];
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    const heading = /^# +(\S.*)$/.exec(line);
    if (line.trim() === '') end();
    else if (heading?.[1]) {
      end();
      blocks.push({ type: 'heading', level: 1, text: heading[1].trimEnd() });
    } else paragraph.push(line.trimEnd());
  }
  end();
  return blocks;
}
