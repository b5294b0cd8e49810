import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deedTexts } from '../../../shared/console/rooms/settings/auditTexts.ts';

const folder = 'shared/services';

describe('the audit log', () => {
  it('has words for every deed that a verb notes, and for no other', () => {
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const noted = sources.flatMap((path) =>
      [...readFileSync(join(folder, path), 'utf8').matchAll(/\baction: '([a-z_]+\.[a-z_]+)'/g)].map(([, name]) => name),
    );
    expect(noted.length).toBeGreaterThan(50);
    expect(Object.keys(deedTexts).sort()).toEqual([...new Set(noted)].sort());
  });
});
