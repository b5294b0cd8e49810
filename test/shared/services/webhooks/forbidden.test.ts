import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { emitted, modules, useWorld } from './emitting.ts';

const using = useWorld();

/** As on AWS, where loopback is forbidden too. */
beforeAll(() => {
  process.env.ALLOW_LOOPBACK = 'false';
});

describe('an attempt on AWS', () => {
  const forms = (port: number) => [
    `http://127.0.0.1:${port}/2018-06-01/runtime/invocation/next`,
    `https://127.0.0.1:${port}/`,
    `https://2130706433:${port}/`,
    `https://0x7f.1:${port}/`,
    `https://0177.0.0.1:${port}/`,
    `https://127.1:${port}/`,
    `https://[::1]:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    `https://[::ffff:7f00:1]:${port}/`,
    `https://localhost:${port}/`,
    `https://localhost.:${port}/`,
    `https://ada@127.0.0.1:${port}/`,
    `https://0.0.0.0:${port}/`,
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/latest/meta-data/',
    'https://100.100.100.200/',
    'https://10.0.0.1/',
    'https://192.168.0.1/',
    'https://[fe80::1]/',
  ];

  it('reaches no address of the machine, its network or its cloud, however the URL is written', async () => {
    const { handleWebhookMessage } = await modules();
    let connections = 0;
    const server = createServer((_, response) => response.end()).on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, () => resolve()));
    const { port } = server.address() as AddressInfo;
    const errors: (string | null)[] = [];
    for (const url of forms(port)) {
      const { message, state } = await emitted(using.world, { url });
      await handleWebhookMessage(message, { isRedelivered: false }, () => new Date());
      const delivery = await state();
      expect(delivery.status).toBe('pending');
      errors.push(delivery.error);
    }
    expect(connections).toBe(0);
    expect(new Set(errors)).toEqual(new Set(['blocked_address', 'invalid_url']));
    await new Promise((resolve) => server.close(resolve));
  });

  it('is refused at creation when the name leads to a private address', async () => {
    const { leadsToForbiddenAddress } = await import('../../../../shared/outbound/hostCheck.ts');
    const resolver =
      (...addresses: string[]) =>
      async () =>
        addresses.map((address) => ({ address, family: 4 }));
    const ask = (allowLoopback: boolean, ...addresses: string[]) =>
      leadsToForbiddenAddress('https://hooks.example.com/', allowLoopback, resolver(...addresses));
    expect(await ask(false, '93.184.216.34')).toBe(false);
    expect(await ask(false, '93.184.216.34', '10.0.0.1')).toBe(true);
    expect(await ask(false, '127.0.0.1')).toBe(true);
    expect(await ask(true, '127.0.0.1')).toBe(false);
    expect(await ask(false)).toBe(false);
    const failing = async () => {
      throw new Error('ENOTFOUND');
    };
    expect(await leadsToForbiddenAddress('https://hooks.example.com/', false, failing)).toBe(false);
  });
});
