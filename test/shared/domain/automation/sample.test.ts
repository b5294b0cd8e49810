import { Sample } from '../../../../shared/domain/automation/sample.ts';

const names = Array.from({ length: 1000 }, (_, index) => `person${index}@example.net`);

function sampleOf(of: readonly string[], limit: number): Sample<string> {
  const sample = new Sample<string>(limit);
  for (const name of of) sample.add(name, name);
  return sample;
}

describe('a sample', () => {
  it('is the same whatever the order and the parts in which the names came', () => {
    const whole = sampleOf(names, 100);
    const joined = sampleOf(names.slice(700).reverse(), 100);
    joined.join(sampleOf(names.slice(0, 700), 100));
    expect(whole.entries()).toHaveLength(100);
    expect(joined.entries()).toEqual(whole.entries());
    expect([whole.total, joined.total]).toEqual([1000, 1000]);
  });

  it('has all names up to its limit', () => {
    expect([...sampleOf(names, 1000).entries()].sort()).toEqual([...names].sort());
    expect(sampleOf(names, 999).entries()).toHaveLength(999);
  });

  it('begins with a smaller sample', () => {
    expect(sampleOf(names, 500).entries().slice(0, 50)).toEqual(sampleOf(names, 50).entries());
  });
});
