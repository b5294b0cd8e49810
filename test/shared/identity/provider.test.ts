import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beginAuthorization, endOfSession, finishAuthorization } from '../../../shared/identity/authorization.ts';

/** A provider with discovery metadata only. */
let server: Server;
let asked: string[];

beforeAll(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        end_session_endpoint: `${issuer}/end`,
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  Object.assign(process.env, {
    ALLOW_LOOPBACK: 'true',
    OIDC_ISSUER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    OIDC_CLIENT_ID: 'mailroom',
    // As in a function whose role may not read the secret.
    OIDC_CLIENT_SECRET_FILE: '/nowhere/secret',
  });
});
afterAll(() => server.close());

it('needs the client’s secret only to exchange a code', async () => {
  const { url, transaction } = await beginAuthorization({
    redirectUri: 'https://mail.example.com/console/session/return',
    language: 'en',
    isAnew: false,
  });
  expect(new URL(url).pathname).toBe('/authorize');
  const end = new URL((await endOfSession('https://mail.example.com/console')) ?? '');
  expect([end.pathname, end.searchParams.get('client_id')]).toEqual(['/end', 'mailroom']);
  const returned = new URL(`https://mail.example.com/console/session/return?code=1&state=${transaction.state}`);
  await expect(finishAuthorization(returned, transaction)).rejects.toMatchObject({ name: 'ProviderUnreachable' });
  expect(asked).toEqual(['/.well-known/openid-configuration']);
});
