import type { Logger } from '@aws-lambda-powertools/logger';
import { jest } from '@jest/globals';

const names = ['sent', 'delivered', 'bounced', 'complained'] as const;

/** Collects the lines about what workspaces did from now on, which it checks for their form. */
export function collectActivity(logger: Logger) {
  const lines: (Record<(typeof names)[number], number> & { workspace_id: string })[] = [];
  const info = jest.spyOn(logger, 'info').mockImplementation((...[message, fields]) => {
    if (message !== 'A workspace was active.') return;
    const { workspace_id, minute, ...counts } = fields as unknown as Record<string, string | number>;
    expect(String(minute)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
    for (const [name, count] of Object.entries(counts)) {
      expect(names).toContain(name);
      expect(count).not.toBe(0);
    }
    lines.push({ sent: 0, delivered: 0, bounced: 0, complained: 0, ...counts, workspace_id: String(workspace_id) });
  });
  const of = (workspaceId: string) => lines.filter(({ workspace_id }) => workspace_id === workspaceId);
  return {
    linesOf: of,
    /** What the lines of a workspace add up to. */
    sumOf: (workspaceId: string) =>
      Object.fromEntries(
        names.map((name) => [name, of(workspaceId).reduce((total, line) => total + line[name], 0)]),
      ) as Record<(typeof names)[number], number>,
    stop: () => info.mockRestore(),
  };
}
