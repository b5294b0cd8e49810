import type { LookupAddress, LookupOptions } from 'node:dns';
import { guardedLookup, mayConnectTo, type ResolvedAddress } from '../../../shared/outbound/hostCheck.ts';

type Answer = { error: unknown; address: string | LookupAddress[] };

/** Calls a lookup like `net.connect`. */
function ask(addresses: readonly ResolvedAddress[], options: LookupOptions, allowLoopback = false): Promise<Answer> {
  const lookup = guardedLookup(async () => addresses, allowLoopback);
  return new Promise((resolve) => lookup('example.com', options, (error, address) => resolve({ error, address })));
}

const google = { address: '8.8.8.8', family: 4 };
const cloudflare = { address: '2606:4700:4700::1111', family: 6 };
const loopback = { address: '127.0.0.1', family: 4 };

describe('guardedLookup', () => {
  it('returns all public addresses, or the first if only one is requested', async () => {
    await expect(ask([google, cloudflare], { all: true })).resolves.toEqual({
      error: null,
      address: [google, cloudflare],
    });
    await expect(ask([google, cloudflare], {})).resolves.toEqual({ error: null, address: '8.8.8.8' });
  });

  it.each([{ all: true }, { all: false }])('refuses all addresses if any is not public: %j', async (options) => {
    for (const addresses of [[loopback], [google, loopback], [loopback, google]]) {
      await expect(ask(addresses, options)).resolves.toMatchObject({ error: { code: 'blocked_address' } });
    }
  });

  it('allows loopback on the local runtime', async () => {
    await expect(ask([loopback], { all: true }, true)).resolves.toEqual({ error: null, address: [loopback] });
  });

  it('fails for a name without addresses', async () => {
    await expect(ask([], { all: true })).resolves.toMatchObject({ error: { code: 'dns' } });
  });
});

describe('mayConnectTo', () => {
  it('allows public addresses, and loopback on request', () => {
    expect([mayConnectTo('8.8.8.8', false), mayConnectTo('127.0.0.1', false)]).toEqual([true, false]);
    expect([mayConnectTo('127.0.0.1', true), mayConnectTo('10.0.0.1', true)]).toEqual([true, false]);
    expect(mayConnectTo('', true)).toBe(false);
  });
});
