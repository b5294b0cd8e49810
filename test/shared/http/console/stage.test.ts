import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { operatorContext } from '../../services/context.ts';
import { startWorld } from '../../services/operators/world.ts';

const publicUrl = 'https://abc123.execute-api.eu-west-3.amazonaws.com/prod';

const load = async () => ({
  ...(await import('../../../../shared/console/pages.ts')),
  ...(await import('../../../../shared/http/console/handler.ts')),
  ...(await import('../../../../shared/services/operators/session.ts')),
  ...(await import('../../../../shared/services/operators/linkSignIn.ts')),
  ...(await import('../../../../shared/services/workspaces/workspaces.ts')),
});

let world: Awaited<ReturnType<typeof startWorld>>;
let house: Awaited<ReturnType<typeof load>>;
let workspaceId: string;
let cookie: string;

beforeAll(async () => {
  world = await startWorld();
  Object.assign(process.env, { PUBLIC_URL: publicUrl, POWERTOOLS_LOG_LEVEL: 'SILENT' });
  house = await load();
  const made = await house.createWorkspace(operatorContext(), { name: 'One', plan: 'free', language: 'en' });
  workspaceId = made.id;
  const session = await house.createSession({ name: 'Ada', role: 'owner', workspaceId }, new Date());
  cookie = `__Host-mailroom=${session}`;
});
afterAll(() => world.stop());

interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly host?: string;
  readonly form?: Record<string, string>;
  readonly query?: Record<string, string[]>;
  /** Of the stage, besides its address. */
  readonly variables?: Record<string, string>;
}

/** As API Gateway hands it over: the path without the stage's name. */
function ask(path: string, { method = 'GET', host = new URL(publicUrl).host, form, query, variables }: Asked = {}) {
  const headers = {
    Host: host,
    Cookie: cookie,
    ...(form && { Origin: new URL(publicUrl).origin, 'Content-Type': 'application/x-www-form-urlencoded' }),
  };
  const event = {
    httpMethod: method,
    path,
    headers,
    multiValueQueryStringParameters: query ?? null,
    stageVariables: { PUBLIC_URL: publicUrl, ...variables },
    body: form ? new URLSearchParams(form).toString() : null,
    isBase64Encoded: false,
    requestContext: { requestId: 'request-1' } as APIGatewayProxyEvent['requestContext'],
  } as Partial<APIGatewayProxyEvent> as APIGatewayProxyEvent;
  const context = { awsRequestId: 'function-1', getRemainingTimeInMillis: () => 29_000 } as Context;
  return house.handleConsole(event, context);
}

const textOf = ({ body, isBase64Encoded }: APIGatewayProxyResult): string =>
  isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;

describe('the console below the name of a stage', () => {
  it('leads nowhere but below it, on every page', async () => {
    const paths = house.consolePages.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
    let pages = 0;
    for (const { path } of paths) {
      const answer = await ask(`/console/${workspaceId}${path}`);
      // What only a script asks for has no links.
      if (!String(answer.headers?.['Content-Type']).startsWith('text/html')) continue;
      pages += 1;
      const text = textOf(answer);
      const led = [...text.matchAll(/(?:href|src|action|data-\w+)="(\/[^"]*)"/g)].map(([, to = '']) => to);
      expect([path, led.filter((to) => !to.startsWith('/prod/console'))]).toEqual([path, []]);
      // The sample of a mail shows no links of the console.
      if (!path.endsWith('/sample')) expect([path, led.length > 3]).toEqual([path, true]);
    }
    expect(pages).toBeGreaterThan(15);
  });

  it('answers its own files, and sends who comes by another name of the host to this one', async () => {
    const page = textOf(await ask(`/console/${workspaceId}/settings`));
    const file = /href="\/prod(\/console\/assets\/[^"]+)"/.exec(page)?.[1] ?? '';
    expect((await ask(file)).statusCode).toBe(200);
    const elsewhere = await ask('/console/x', { host: 'forged.example', query: { a: ['1'] } });
    expect(elsewhere.headers).toMatchObject({ Location: `${publicUrl}/console/x?a=1`, 'Cache-Control': 'no-store' });
  });

  it('sets a cookie of this very host, over https alone', async () => {
    const { url } = await house.createSignInLink(operatorContext(), { name: 'Ada', role: 'viewer', workspaceId });
    const token = new URL(url).searchParams.get('token') ?? '';
    const answer = await ask('/console/sign-in', { method: 'POST', form: { token } });
    expect([answer.statusCode, answer.headers?.Location]).toEqual([303, '/prod/console']);
    expect(answer.multiValueHeaders?.['Set-Cookie']).toEqual([
      expect.stringMatching(/^__Host-mailroom=[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/),
    ]);
  });

  it('says calmly that the provider does not answer, and begins nothing', async () => {
    const provider = { OIDC_ISSUER: 'https://127.0.0.1:1', OIDC_CLIENT_ID: 'mailroom' };
    const answer = await ask('/console/session/start', { variables: provider });
    expect([answer.statusCode, textOf(answer).includes('does not answer at the moment')]).toEqual([502, true]);
    expect(answer.multiValueHeaders?.['Set-Cookie']).toEqual([expect.stringContaining('Max-Age=0')]);
  });

  it('has no way in by a provider where there is none', async () => {
    for (const step of ['start', 'return']) expect((await ask(`/console/session/${step}`)).statusCode).toBe(404);
  });
});
