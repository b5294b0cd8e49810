import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { routes } from '../../shared/contract/routes.ts';
import { languageTags } from '../../shared/language/languages.ts';
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
  } else if (readFileSync(join(values.folder, name), 'utf8') === text) {
    console.log(`openapi/${name} is what the contract says.`);
  } else {
    console.error(`openapi/${name} is not what the contract says: run "npm run openapi" and commit the result.`);
    process.exitCode = 1;
  }
}
