import { ContentionError, overtaken, untilSettled, withDeadline } from '../../../shared/platform/deadline.ts';

describe('untilSettled', () => {
  it('makes an attempt again until it is not overtaken', async () => {
    let calls = 0;
    const result = await untilSettled(async () => {
      calls += 1;
      return calls < 6 ? overtaken : null;
    });
    expect([result, calls]).toEqual([null, 6]);
  });

  it('leaves a failure to the caller', async () => {
    let calls = 0;
    const failing = untilSettled(async () => {
      calls += 1;
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(calls).toBe(1);
  });

  it('pauses between attempts, and ends with an error of its own when it is overtaken for too long', async () => {
    let calls = 0;
    const endless = untilSettled(async () => {
      calls += 1;
      return overtaken;
    });
    await expect(endless).rejects.toBeInstanceOf(ContentionError);
    expect(calls).toBeGreaterThan(5);
    expect(calls).toBeLessThan(200);
  });

  it('ends with the deadline of the work around it', async () => {
    const started = performance.now();
    const endless = withDeadline(300, () => untilSettled(async () => overtaken));
    await expect(endless).rejects.toBeInstanceOf(ContentionError);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('lets fifty writers of one value through, each with its own word', async () => {
    let stored = 0;
    const write = async (seen: number) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (stored !== seen) return overtaken;
      stored += 1;
      return stored;
    };
    const read = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      return stored;
    };
    const results = await Promise.all(Array.from({ length: 50 }, () => untilSettled(async () => write(await read()))));
    expect(new Set(results).size).toBe(50);
  });
});
