import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(import.meta.dirname, '..', '..');
const textOf = (name: string): string => readFileSync(join(docs, `${name}.md`), 'utf8');

/** The list of pages in docs/README.md: its headings, and the pages that each row of their tables links to. */
export function menu(): { text: string; items: { text: string; link: string }[] }[] {
  return textOf('README')
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      text: part.split('\n', 1)[0] ?? '',
      items: [...part.matchAll(/^\| \[(.+?)\]\((?!\.\.)(.+?)\.md\)/gm)].map(([, text = '', path = '']) => ({
        text,
        link: `/${path.replace(/README$/, '')}`,
      })),
    }));
}

/** Where agents and models begin (llmstxt.org): every page with the first sentence of its text. */
export function llmsText(base: string): string {
  const lines = menu().flatMap(({ text, items }) => [
    `\n## ${text}\n`,
    ...items.map((item) => {
      const name = item.link.replace(/\/$/, '/README').slice(1);
      const [, first = ''] = /^# .+\n\n(.+?)(?:\n|(?<=\.)\s)/.exec(textOf(name)) ?? [];
      return `- [${item.text}](${base}${item.link.slice(1)}): ${first}`;
    }),
  ]);
  return `# Mailroom\n\n> The email service that you run yourself, in your own AWS account.\n${lines.join('\n')}\n`;
}
