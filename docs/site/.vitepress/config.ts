import { writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { defineConfig } from 'vitepress';
import { llmsText, menu } from './pages.ts';

/** On GitHub Pages the site lies below the name of the repository. */
const [, name = ''] = (process.env.GITHUB_REPOSITORY ?? '').split('/');
const base = name === '' ? '/' : `/${name}/`;
/** The repository's files, for links that lead out of docs/. */
const repository = name === '' ? null : `${process.env.GITHUB_SERVER_URL}/${process.env.GITHUB_REPOSITORY}/blob/main`;

export default defineConfig({
  title: 'Mailroom',
  description: 'The email service that you run yourself, in your own AWS account.',
  base,
  // Without it, browsers ask for a file that is not there.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // A copy of the pages, since pages are compiled to components of the Vue that is installed here.
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: true,
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  // What a reader opens on their own machine.
  ignoreDeadLinks: ['localhostLinks'],
  themeConfig: {
    nav: [
      { text: 'Start on your laptop', link: '/start' },
      { text: 'Design', link: '/design/' },
      ...(repository === null ? [] : [{ text: 'Source', link: repository.replace(/\/blob\/main$/, '') }]),
    ],
    sidebar: menu(),
    outline: [2, 3],
    search: { provider: 'local' },
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(markdown) {
      markdown.core.ruler.push('links-out-of-docs', ({ env, tokens }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null;
          if (!href || /^(?:[a-z]+:|#|\/)/.test(href)) continue;
          const path = normalize(join('docs', dirname(env.relativePath), href));
          if (!path.startsWith('docs/') || !/\.md(?:#|$)/.test(path))
            token.attrSet('href', repository === null ? '#' : `${repository}/${path}`);
        }
      });
      // Merge fields such as {{firstName}} are text here, not expressions of Vue.
      const inlineCode = markdown.renderer.rules.code_inline;
      markdown.renderer.rules.code_inline = (tokens, index, ...others) => {
        tokens[index]?.attrSet('v-pre', '');
        return inlineCode?.(tokens, index, ...others) ?? '';
      };
      // Only GitHub draws this.
      const { fence } = markdown.renderer.rules;
      markdown.renderer.rules.fence = (tokens, index, ...others) =>
        tokens[index]?.info === 'mermaid' ? '' : (fence?.(tokens, index, ...others) ?? '');
    },
  },
  buildEnd({ outDir }) {
    writeFileSync(join(outDir, 'llms.txt'), llmsText(base));
  },
});
