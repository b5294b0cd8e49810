import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { routes } from '../../shared/contract/routes.ts';
import { languageTags } from '../../shared/language/languages.ts';
import { catalogIn } from '../mcp/catalog.ts';
import { generate } from './generate.ts';

const committed = join(import.meta.dirname, '..', '..', 'openapi');
const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, folder: { type: 'string', default: committed } },
});

/** What is made of the contract and committed: the OpenAPI documents, and what the MCP server says. */
const documents = languageTags.flatMap((language) => [
  { name: `openapi.${language}.json`, content: generate(routes, language) },
  { name: `mcp.${language}.json`, content: catalogIn(language) },
]);

for (const { name, content } of documents) {
  const text = `${JSON.stringify(content, null, 2)}\n`;
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
