import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as tls from 'node:tls';
import { postSafely } from '../../../shared/outbound/safeRequest.ts';
import { startReceiver } from './testReceiver.ts';

const certificates = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/tls/certificates.json'), 'utf8'),
);
const trusted = tls.getCACertificates('default');

beforeAll(() => tls.setDefaultCACertificates([...trusted, certificates.authority]));
afterAll(() => tls.setDefaultCACertificates(trusted));

const post = (port: number, timeoutMilliseconds = 60_000) =>
  postSafely({
    ...{ url: `https://localhost:${port}/`, body: '{}', headers: {}, timeoutMilliseconds },
    ...{ maxResponseBytes: 1000, allowLoopback: true, resolver: async () => [{ address: '127.0.0.1', family: 4 }] },
  });

/** Runs one request against a TLS server of these options; `heard` is what of the request it could read. */
async function againstServer(options: tls.TlsOptions) {
  let heard = '';
  const server = tls.createServer(options, (socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      heard += data.toString();
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const outcome = await post((server.address() as AddressInfo).port).catch((error) => error);
  server.close();
  return { outcome, heard };
}

const heardAnything = (heard: string) => heard !== '';
const identity = (name: string) => ({ cert: certificates[name].certificate, key: certificates[name].key });

describe('postSafely over TLS', () => {
  it('posts to a server whose certificate is valid', async () => {
    const { outcome, heard } = await againstServer(identity('valid'));
    expect(outcome).toMatchObject({ status: 200, body: 'ok' });
    expect(heard).toMatch(/^POST \/ HTTP\/1\.1\r\n/);
  });

  it.each(['expired', 'wrongName', 'selfSigned'])('sends nothing to a server whose certificate is %s', async (name) => {
    const { outcome, heard } = await againstServer(identity(name));
    expect(outcome).toMatchObject({ name: 'SafeRequestError', code: 'tls', status: null });
    expect(heard).toBe('');
  });

  it('refuses a server that only supports TLS 1.1', async () => {
    const ciphers = 'DEFAULT@SECLEVEL=0';
    const { outcome } = await againstServer({
      ...identity('valid'),
      ciphers,
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
    });
    expect(outcome).toMatchObject({ name: 'SafeRequestError', code: 'tls' });
  });

  it('refuses a server without TLS', async () => {
    const plain = await startReceiver((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), heardAnything);
    await expect(post(plain.port)).rejects.toMatchObject({ code: 'tls' });
    await plain.close();
  });

  it('ends a handshake that never answers at the deadline', async () => {
    const silent = await startReceiver(() => {}, heardAnything);
    await expect(post(silent.port, 300)).rejects.toMatchObject({ code: 'timeout', status: null });
    await silent.close();
  });
});
