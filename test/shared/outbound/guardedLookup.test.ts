import type { LookupAddress, LookupOptions } from 'node:dns';
import { guardedLookup, mayConnectTo, type ResolvedAddress } from '../../../shared/outbound/guardedLookup.ts';

type Answer = { error: unknown; address: string | LookupAddress[] };

/** Asks as `net.connect` does. */
function ask(addresses: readonly ResolvedAddress[], options: LookupOptions, allowLoopback = false): Promise<Answer> {
  const lookup = guardedLookup(async () => addresses, allowLoopback);
  return new Promise((resolve) => lookup('example.com', options, (error, address) => resolve({ error, address })));
}

const google = { address: '8.8.8.8', family: 4 };
const cloudflare = { address: '2606:4700:4700::1111', family: 6 };
const loopback = { address: '127.0.0.1', family: 4 };

describe('guardedLookup', () => {
  it('passes all public addresses on, or the first when one is asked for', async () => {
    await expect(ask([google, cloudflare], { all: true })).resolves.toEqual({
      error: null,
      address: [google, cloudflare],
    });
    await expect(ask([google, cloudflare], {})).resolves.toEqual({ error: null, address: '8.8.8.8' });
  });

  it.each([{ all: true }, { all: false }])(
    'refuses all when one is not public, wherever it stands: %j',
    async (options) => {
      for (const addresses of [[loopback], [google, loopback], [loopback, google]]) {
        await expect(ask(addresses, options)).resolves.toMatchObject({ error: { code: 'blocked_address' } });
      }
    },
  );

  it('lets loopback through on the local runtime', async () => {
    await expect(ask([loopback], { all: true }, true)).resolves.toEqual({ error: null, address: [loopback] });
  });

  it('says when there is no address', async () => {
    await expect(ask([], { all: true })).resolves.toMatchObject({ error: { code: 'dns' } });
  });
});

describe('mayConnectTo', () => {
  it('is for public addresses, and for loopback where it is allowed', () => {
    expect([mayConnectTo('8.8.8.8', false), mayConnectTo('127.0.0.1', false)]).toEqual([true, false]);
    expect([mayConnectTo('127.0.0.1', true), mayConnectTo('10.0.0.1', true)]).toEqual([true, false]);
    expect(mayConnectTo('', true)).toBe(false);
  });
});
