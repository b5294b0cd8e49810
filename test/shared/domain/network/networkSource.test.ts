import { networkSource } from '../../../../shared/domain/network/networkSource.ts';

describe('networkSource', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['not an address', 'unknown'],
  ])('counts %s as %s', (address, source) => {
    expect(networkSource(address)).toBe(source);
  });

  it('counts an IPv6 /64 as one', () => {
    expect(networkSource('2001:db8:1:2::1')).toBe(networkSource('2001:db8:1:2:ffff::9'));
    expect(networkSource('2001:db8:1:2::1')).not.toBe(networkSource('2001:db8:1:3::1'));
  });
});
