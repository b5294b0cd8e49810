/**
 * A scenario for a rehearsal of the deployment on an emulated AWS: plays the commands that the documentation prints for a
 * deployed stack, in their order, as an operator. `test/docs/pages.test.ts` runs those that need no AWS.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Commands that cannot be played, by how they begin, and why. */
const left = [
  ['restore', 'the emulator restores no table with indexes'],
  ['queue redrive', 'there are no dead letters'],
];

/** Other names for what the rehearsal has already. */
const names = [
  [/\bacme\.com\b/g, 'docs.example'],
  [/\bAcme\b/g, 'Documented'],
];

/** Arguments as a shell reads them; a comment ends a command. */
const wordsOf = (line) =>
  [...line.replace(/\s#\s.*$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);

function commandsOf(text) {
  const blocks = [...text.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block);
  return blocks.flatMap((block) =>
    block.split('\n').flatMap((line) => {
      const [, rest] = /^(?:npm run (?:--silent )?mailroom --|mailroom) (.*)$/.exec(line) ?? [];
      if (!rest?.includes('--stack mailroom-prod')) return [];
      const renamed = names.reduce((known, [from, to]) => known.replace(from, to), rest);
      const words = wordsOf(renamed.replace('--stack mailroom-prod', ''));
      return [{ printed: line.trim(), words }];
    }),
  );
}

export default async function play({ cli, step, skip, project, assert }) {
  const folder = join(project, 'docs');
  // A workspace is created before it is operated.
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const first = pages.sort((one, other) => Number(other === 'deploy.md') - Number(one === 'deploy.md'));
  let played = 0;
  for (const page of first) {
    for (const { printed, words } of commandsOf(readFileSync(join(folder, page), 'utf8'))) {
      const [, reason] = left.find(([start]) => words.join(' ').startsWith(start)) ?? [];
      if (reason) {
        skip(`${page}: ${printed}`, reason);
        continue;
      }
      const needsWorkspace = ['domain', 'sender', 'key'].includes(words[0]) && !words.includes('--workspace');
      await step(`${page}: ${printed}`, () => cli(...words, ...(needsWorkspace ? ['--workspace', 'Documented'] : [])));
      played += 1;
    }
  }
  await step('the documentation prints commands for a deployed stack', async () => assert.ok(played > 10, `${played}`));
}
