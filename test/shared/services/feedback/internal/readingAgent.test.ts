import * as fc from 'fast-check';
import type { ReadingAgent } from '../../../../../shared/domain/campaign/slice.ts';
import { readingAgent } from '../../../../../shared/services/feedback/internal/readingAgent.ts';

const known: readonly (readonly [string, ReadingAgent])[] = [
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    { device: 'Mobile', os: 'iOS', client: 'Apple Mail' },
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    { device: 'Desktop', os: 'macOS', client: 'Apple Mail' },
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Safari/605.1.15',
    { device: 'Desktop', os: 'macOS', client: 'Safari' },
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:115.0) Gecko/20100101 Thunderbird/115.10.1',
    { device: 'Desktop', os: 'Windows', client: 'Thunderbird' },
  ],
  [
    'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/8.0; .NET4.0C; .NET4.0E; Microsoft Outlook 16.0.5)',
    { device: 'Desktop', os: 'Windows', client: 'Outlook' },
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S918B Build/UP1A) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36',
    { device: 'Mobile', os: 'Android', client: 'Chrome' },
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    { device: 'Tablet', os: 'iOS', client: 'Apple Mail' },
  ],
  ['', { device: 'Other', os: 'Other', client: 'Other' }],
];

describe('the reading agent', () => {
  it.each(known)('is recognised in %s', (agent, expected) => {
    expect(readingAgent(agent)).toEqual(expected);
  });

  it('has known names only, so that the number of counters is bounded', () => {
    expect(readingAgent('Anything-I-Like/1.2 (hello)').client).toBe('Other');
    const labels = new Set<string>();
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z]{1,12}$/), fc.string(), (name, rest) => {
        const { device, os, client } = readingAgent(`${name}${rest}/1.0 (${rest}; ${name})`);
        for (const label of [device, os, client]) labels.add(label);
        expect([...labels].filter((label) => label.length > 40)).toEqual([]);
      }),
    );
    expect(labels.size).toBeLessThan(30);
  });
});
