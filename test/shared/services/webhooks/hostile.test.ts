import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { startReceiver as startRawReceiver } from '../../outbound/testReceiver.ts';
import { emitted, modules, useWorld } from './emitting.ts';

const using = useWorld();
const clock = () => new Date();

/** Runs one attempt against a receiver that sends exactly what its script writes. */
async function attemptAgainst(script: (socket: Socket) => void) {
  const { handleWebhookMessage } = await modules();
  const raw = await startRawReceiver(script);
  const { message, state } = await emitted(using.world, { url: `http://127.0.0.1:${raw.port}/` });
  await handleWebhookMessage(message, { isRedelivered: false }, clock);
  const delivery = await state();
  const connections = raw.connections();
  await raw.close();
  return { delivery, connections };
}

const head = 'HTTP/1.1 200 OK\r\n';

describe('a receiver that', () => {
  it('answers at once but endlessly has accepted the event', async () => {
    const { delivery } = await attemptAgainst((socket) => {
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
      const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', more);
      more();
    });
    expect(delivery).toMatchObject({ status: 'delivered', responseStatus: 200, responseBody: 'x'.repeat(1000) });
  });

  it('closes the connection in the middle of its answer has not', async () => {
    const { delivery } = await attemptAgainst((socket) => socket.end(`${head}Content-Length: 10\r\n\r\nhalf`));
    expect(delivery).toMatchObject({ status: 'pending', responseStatus: 200, error: 'incomplete_answer' });
  });

  it('closes the connection without an answer has not', async () => {
    const { delivery, connections } = await attemptAgainst((socket) => socket.destroy());
    expect(delivery).toMatchObject({ status: 'pending', error: 'connection' });
    expect(delivery.responseStatus).toBeNull();
    expect(connections).toBe(1);
  });

  it('uses another protocol has not', async () => {
    const { delivery } = await attemptAgainst((socket) => socket.end('220 mail.example.net ESMTP\r\n'));
    expect(delivery).toMatchObject({ status: 'pending', error: 'protocol' });
  });

  it('redirects has not, and the target is never contacted', async () => {
    const { delivery } = await attemptAgainst((socket) =>
      socket.end(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${using.receiver.url}\r\nContent-Length: 0\r\n\r\n`),
    );
    expect(delivery).toMatchObject({ status: 'pending', responseStatus: 307, error: 'status' });
    expect(using.receiver.requests).toEqual([]);
  });

  it('has an untrusted certificate has not', async () => {
    const { handleWebhookMessage } = await modules();
    const file = join(import.meta.dirname, '../../../fixtures/tls/certificates.json');
    const { valid } = JSON.parse(readFileSync(file, 'utf8'));
    const server = createTlsServer({ cert: valid.certificate, key: valid.key }, (_, response) => response.end('ok'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { message, state } = await emitted(using.world, { url });
    await handleWebhookMessage(message, { isRedelivered: false }, clock);
    expect(await state()).toMatchObject({ status: 'pending', error: 'tls' });
    server.close();
  });

  it('sends nothing, or one byte a second, gets 15 seconds in all', async () => {
    const [silent, dripping] = await Promise.all([
      attemptAgainst(() => {}),
      attemptAgainst((socket) => {
        socket.write(`${head}Content-Length: 1000\r\n\r\n`);
        const timer = setInterval(() => socket.write('x'), 1000);
        socket.on('close', () => clearInterval(timer));
      }),
    ]);
    expect(silent.delivery).toMatchObject({ status: 'pending', error: 'timeout' });
    expect(dripping.delivery).toMatchObject({ status: 'pending', error: 'timeout', responseStatus: 200 });
    // In whole seconds: the timer and the stopwatch are two clocks, which differ by a millisecond or two.
    for (const { delivery } of [silent, dripping]) {
      expect(Math.round((delivery.durationMilliseconds ?? 0) / 1000)).toBeGreaterThanOrEqual(15);
    }
  });
});

describe('on AWS', () => {
  it.each(['http://127.0.0.1:9001/2018-06-01/runtime/invocation/next', 'https://169.254.169.254/', 'https://[::1]/'])(
    'no attempt ever reaches %s',
    async (url) => {
      const { checkWebhookUrl } = await import('../../../../shared/domain/webhook/webhookUrl.ts');
      expect(checkWebhookUrl(url, { allowLoopback: false })).not.toBeNull();
    },
  );
});
