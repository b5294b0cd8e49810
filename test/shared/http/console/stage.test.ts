import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { operatorContext } from '../../services/context.ts';
import { startWorld } from '../../services/operators/world.ts';

const publicUrl = 'https://abc123.execute-api.eu-west-3.amazonaws.com/prod';

const load = async () => ({
  ...(await import('../../../../shared/console/pages.ts')),
  ...(await import('../../../../shared/http/console/door.ts')),
  ...(await import('../../../../shared/services/operators/session.ts')),
  ...(await import('../../../../shared/services/operators/signIn.ts')),
  ...(await import('../../../../shared/services/workspaces/create.ts')),
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
}

/** As API Gateway hands it over: the path without the stage's name. */
function ask(path: string, { method = 'GET', host = new URL(publicUrl).host, form, query }: Asked = {}) {
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
    stageVariables: { PUBLIC_URL: publicUrl },
    body: form ? new URLSearchParams(form).toString() : null,
    isBase64Encoded: false,
    requestContext: { requestId: 'request-1' } as APIGatewayProxyEvent['requestContext'],
  } as Partial<APIGatewayProxyEvent> as APIGatewayProxyEvent;
  const context = { awsRequestId: 'function-1', getRemainingTimeInMillis: () => 29_000 } as Context;
  return house.consoleDoor(event, context);
}

const textOf = ({ body, isBase64Encoded }: APIGatewayProxyResult): string =>
  isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;

describe('the console below the name of a stage', () => {
  it('leads nowhere but below it, on every page', async () => {
    // What a script asks for is no page.
    const isPage = (path: string) => !path.includes('{') && !path.endsWith('/live');
    const paths = house.consolePages.filter(({ method, path }) => method === 'GET' && isPage(path));
    expect(paths.length).toBeGreaterThan(15);
    for (const { path } of paths) {
      const text = textOf(await ask(`/console/${workspaceId}${path}`));
      const led = [...text.matchAll(/(?:href|src|action|data-\w+)="(\/[^"]*)"/g)].map(([, to = '']) => to);
      expect([path, led.filter((to) => !to.startsWith('/prod/console'))]).toEqual([path, []]);
      expect(led.length).toBeGreaterThan(3);
    }
  });

  it('answers its own files, and sends who comes by another name of the host to this one', async () => {
    const page = textOf(await ask(`/console/${workspaceId}/settings`));
    const file = /href="\/prod(\/console\/assets\/[^"]+)"/.exec(page)?.[1] ?? '';
    expect((await ask(file)).statusCode).toBe(200);
    const elsewhere = await ask('/console/x', { host: 'forged.example', query: { a: ['1'] } });
    expect(elsewhere.headers).toMatchObject({ Location: `${publicUrl}/console/x?a=1`, 'Cache-Control': 'no-store' });
  });

  it('sets a cookie of this very host, over https alone', async () => {
    const { url } = await house.createSignIn(operatorContext(), { name: 'Ada', role: 'viewer', workspaceId });
    const token = new URL(url).searchParams.get('token') ?? '';
    const answer = await ask('/console/sign-in', { method: 'POST', form: { token } });
    expect([answer.statusCode, answer.headers?.Location]).toEqual([303, '/prod/console']);
    expect(answer.multiValueHeaders?.['Set-Cookie']).toEqual([
      expect.stringMatching(/^__Host-mailroom=[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/),
    ]);
  });

  it('has no way in by a provider where there is none', async () => {
    for (const step of ['start', 'return']) expect((await ask(`/console/session/${step}`)).statusCode).toBe(404);
  });
});
