// Prints the section of CHANGELOG.md about a tag. Fails when there is none, or when package.json has another version.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const [tag = ''] = process.argv.slice(2);
const version = tag.replace(/^v/, '');
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
if (version !== own) throw new Error(`The tag is ${tag}, and package.json has version ${own}.`);
const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
const section = sections.find((text) => text.startsWith(`${version} `) || text.startsWith(`[${version}]`));
if (!section) throw new Error(`CHANGELOG.md has no section about ${version}.`);
console.log(section.slice(section.indexOf('\n')).trim());
