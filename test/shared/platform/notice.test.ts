import { jest } from '@jest/globals';
import { notify } from '../../../shared/platform/logger.ts';

describe('a notice', () => {
  it('is a line of the log that CloudWatch counts for this deployment', () => {
    const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    notify('WorkspaceSuspended', 'A workspace may send no more.', { workspace_id: 'ws_1' });
    const [[line] = []] = write.mock.calls;
    write.mockRestore();
    const read = JSON.parse(String(line));
    expect(read).toMatchObject({ level: 'ERROR', message: 'A workspace may send no more.', workspace_id: 'ws_1' });
    // CloudWatch User Guide, "Specification: Embedded metric format": what is named is a member at the root.
    const { Timestamp, CloudWatchMetrics } = read._aws;
    expect(Math.abs(Date.now() - Timestamp)).toBeLessThan(60_000);
    const [{ Namespace, Dimensions, Metrics }] = CloudWatchMetrics;
    expect(Namespace).toBe('Mailroom');
    for (const [dimension] of Dimensions) expect(read[dimension]).toEqual(expect.any(String));
    for (const { Name } of Metrics) expect(read[Name]).toBe(1);
  });
});
