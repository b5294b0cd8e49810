import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type ProviderContext } from 'oidc-provider';

type Claims = Record<string, unknown>;

/** A certified OpenID Connect provider on loopback, which can be told to lie. */
export interface TestProvider {
  readonly issuer: string;
  /** Whoever comes to it from now on, by the subject of an account; null gives up. */
  comes: string | null;
  /** Accounts by their subjects: what is known of each. */
  readonly accounts: Map<string, Claims>;
  /** Changes the claims of the ID tokens that it signs from now on. */
  tampered: ((claims: Claims) => Claims) | null;
  /** Signs with a key that it does not publish. */
  signsAsStranger: boolean;
  /** Takes the console at this address for its client. */
  serve(baseUrl: string): void;
  stop(): Promise<void>;
}

export const clientId = 'mailroom';

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

export async function startProvider(): Promise<TestProvider> {
  const [key, foreignKey] = [newKey(), newKey()];
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    if (!provider) return response.writeHead(503).end();
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response);
    const result = test.comes === null ? { error: 'access_denied' } : { login: { accountId: test.comes } };
    return provider.interactionFinished(request, response, result);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const test: TestProvider = {
    issuer,
    comes: null,
    accounts: new Map(),
    tampered: null,
    signsAsStranger: false,
    serve: (baseUrl) => {
      provider = new Provider(issuer, configurationOf(baseUrl, key, test.accounts));
      provider.use(async (context, next) => {
        await next();
        if (context.path === '/token') tamper(context);
      });
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return test;

  function tamper({ body }: ProviderContext): void {
    if (typeof body.id_token !== 'string' || !(test.tampered || test.signsAsStranger)) return;
    const [head = '', claims = ''] = body.id_token.split('.');
    const told = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims;
    const text = Buffer.from(JSON.stringify(test.tampered?.(told) ?? told)).toString('base64url');
    body.id_token = signed(`${head}.${text}`, test.signsAsStranger ? foreignKey : key);
  }
}

const signed = (text: string, key: KeyObject): string =>
  `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;

function configurationOf(baseUrl: string, key: KeyObject, accounts: TestProvider['accounts']): object {
  return {
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        redirect_uris: [`${baseUrl}/console/session/return`],
        post_logout_redirect_uris: [`${baseUrl}/console`],
      },
    ],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' }] },
    cookies: { keys: ['of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    // As Cognito does: the ID token tells of the address.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...accounts.get(accountId) }),
    }),
    // Nobody is asked whether the console may know who they are.
    loadExistingGrant: async ({ oidc: { client, session, provider } }: ProviderContext) => {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  };
}
