import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { routes } from '../../shared/contract/routes.ts';
import { languageTags } from '../../shared/language/languages.ts';
import { clientFiles } from './client.ts';
import { formatJson } from './formatJson.ts';
import { generate } from './generate.ts';

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    folder: { type: 'string', default: join(import.meta.dirname, '..', '..', 'openapi') },
  },
});

for (const language of languageTags) {
  const name = `openapi.${language}.json`;
  const text = formatJson(generate(routes, language));
  if (!values.check) {
    writeFileSync(join(values.folder, name), text);
    console.log(`openapi/${name} written.`);
  } else {
    report(`openapi/${name}`, readFileSync(join(values.folder, name), 'utf8') === text);
  }
}

const generated = join(values.folder, 'client', 'src', 'gen');
const files = clientFiles(generate(routes, 'en'));
if (values.check) {
  report('openapi/client/src/gen', isSame(generated, files));
} else {
  rmSync(generated, { recursive: true, force: true });
  for (const [name, text] of files) {
    mkdirSync(dirname(join(generated, name)), { recursive: true });
    writeFileSync(join(generated, name), text);
  }
  console.log('openapi/client/src/gen written.');
}

/** Whether a folder holds these files, byte for byte, and no others. */
function isSame(folder: string, expected: ReadonlyMap<string, string>): boolean {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    return (
      names.length === expected.size &&
      names.every((name) => readFileSync(join(folder, name), 'utf8') === expected.get(name))
    );
  } catch {
    return false;
  }
}

function report(name: string, isCurrent: boolean): void {
  if (isCurrent) {
    console.log(`${name} is what the contract says.`);
  } else {
    console.error(`${name} is not what the contract says: run "npm run openapi" and commit the result.`);
    process.exitCode = 1;
  }
}
