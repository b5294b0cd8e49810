import { isLoopbackAddress, isPublicAddress, networkSource } from '../../../shared/domain/ipAddress.ts';

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '52.95.110.1', '172.15.255.255', '172.32.0.1', '100.63.255.255', '100.128.0.1'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
  it.each(['2606:4700:4700::1111', '2a05:d018::1', '2600:1f18:0:1::5'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  const refused: Record<string, string[]> = {
    private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
    loopback: ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
    'link-local and metadata': [
      '169.254.0.1',
      '169.254.169.254',
      '169.254.170.2',
      'fe80::1',
      'febf::1',
      'fd00:ec2::254',
    ],
    'unique local and site-local': ['fc00::1', 'fdff::1', 'fec0::1'],
    'carrier-grade NAT': ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
    unspecified: ['0.0.0.0', '0.1.2.3', '::'],
    'mapped and compatible': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', '::7f00:1'],
    'NAT64 and translated': ['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '::ffff:0:127.0.0.1'],
    '6to4 and Teredo': ['2002:7f00:1::1', '2002:c0a8:1::', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
    'broadcast and reserved': ['255.255.255.255', '240.0.0.1', '192.0.0.1', '192.88.99.1'],
    documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    'benchmarking and discard': [
      '198.18.0.1',
      '198.19.255.255',
      '2001:2::1',
      '100::1',
      '5f00::1',
      '4000::1',
      '8000::1',
    ],
    'with a zone': ['fe80::1%eth0', '2606:4700:4700::1111%eth0'],
    'spelled otherwise': ['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0x8.8.8.8', '8.8.8.8.', ' 8.8.8.8'],
    'no address': ['', 'example.com', '8.8.8', '8.8.8.8/32', '256.1.1.1', '[2606:4700::1]'],
  };
  it.each(Object.entries(refused).flatMap(([kind, list]) => list.map((address) => [kind, address])))(
    '%s: %s is not public',
    (_, address) => expect(isPublicAddress(address as string)).toBe(false),
  );
});

describe('isLoopbackAddress', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1'])('%s is loopback', (address) => {
    expect(isLoopbackAddress(address)).toBe(true);
  });
  it.each(['0.0.0.0', '::', '128.0.0.1', '::ffff:127.0.0.1', '::2', 'localhost', '127.1', '10.0.0.1'])(
    '%s is not',
    (address) => expect(isLoopbackAddress(address)).toBe(false),
  );
});

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
