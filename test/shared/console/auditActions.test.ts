import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionTexts } from '../../../shared/console/sections/settings/internal/audit.ts';

const folder = 'shared/services';

/** Actions that an earlier release recorded: its entries are shown for a year. */
const former = ['kind.remove'];

describe('the audit log', () => {
  it('has a text for every action that verbs record, and for no other', () => {
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const recorded = sources.flatMap((path) =>
      [...readFileSync(join(folder, path), 'utf8').matchAll(/\baction: '([a-z_]+(?:\.[a-z_]+)+)'/g)].map(
        ([, name]) => name,
      ),
    );
    expect(recorded.length).toBeGreaterThan(50);
    expect(Object.keys(actionTexts).sort()).toEqual([...new Set([...recorded, ...former])].sort());
  });
});
