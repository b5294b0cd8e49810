import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { lambdaContext } from '../../../infra/local/lambdaContext.ts';
import { failedPage } from '../../../shared/console/access/plainPages.ts';
import { createApiKey } from '../../../shared/domain/token.ts';
import { logger } from '../../../shared/platform/logger.ts';
import { type Script, startJsonServer, tell } from '../platform/aws/jsonServer.ts';
import { useTable } from '../store/testTable.ts';

/** What DynamoDB answers while it is out, with the SDK's tries before it is given up. */
const outages: Readonly<Record<string, Script>> = {
  'resets connections': (_response, _heard, request) => void request.socket.destroy(),
  'answers 500': (response) => tell(response, { __type: 'InternalServerError' }, 500),
  'answers 503': (response) => tell(response, { __type: 'ServiceUnavailable' }, 503),
  throttles: (response) => tell(response, { __type: 'ThrottlingException' }, 400),
  'refuses our credentials': (response) => tell(response, { __type: 'ExpiredTokenException' }, 400),
  'refuses our permissions': (response) => tell(response, { __type: 'AccessDeniedException' }, 400),
  'answers with something else': (response) => response.writeHead(200).end('<html>'),
};

const publicUrl = 'https://mail.example.com';
const event = (changes: Partial<APIGatewayProxyEvent> = {}) =>
  ({
    ...{ httpMethod: 'GET', path: '/', headers: {}, multiValueQueryStringParameters: null, pathParameters: null },
    ...{ body: null, isBase64Encoded: false, stageVariables: { PUBLIC_URL: publicUrl } },
    requestContext: { requestId: 'request-1', identity: { sourceIp: '203.0.113.9' } },
    ...changes,
  }) as Partial<APIGatewayProxyEvent> as APIGatewayProxyEvent;
const context = () => lambdaContext('test', 29);

let table: Awaited<ReturnType<typeof startJsonServer>>;
let entries: Awaited<ReturnType<typeof load>>;
const load = async () => ({
  ...(await import('../../../shared/http/page.ts')),
  ...(await import('../../../shared/http/console/handler.ts')),
  ...(await import('../../../shared/mcp/endpoint.ts')),
  ...(await import('../../../shared/store/health.ts')),
  account: (await import('../../../functions/api/account/get.ts')).handler,
});

beforeAll(async () => {
  table = await startJsonServer();
  useTable(table.endpoint);
  Object.assign(process.env, { PUBLIC_URL: publicUrl, POWERTOOLS_LOG_LEVEL: 'SILENT' });
  entries = await load();
  logger.setLogLevel('SILENT');
});
afterAll(() => table.stop());

const headers = { Authorization: `Bearer ${createApiKey()}` };

/** Every entry that answers people or programs, with a request that reads the table. */
const doors: Readonly<Record<string, () => Promise<APIGatewayProxyResult>>> = {
  'the API': () => entries.account(event({ headers, path: '/api/v1/me' }), context()),
  'the API, in French': () =>
    entries.account(event({ headers: { ...headers, 'Accept-Language': 'fr' }, path: '/api/v1/me' }), context()),
  'the MCP server': () =>
    entries.mcp(
      event({
        httpMethod: 'POST',
        path: '/api/mcp',
        headers: { ...headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      }),
      context(),
    ),
  'a page for people': () => {
    const verb = () => entries.readNothing().then(() => ({ status: 200, document: undefined as never }));
    return entries.page('test', { GET: verb })(event({ path: '/unsubscribe/abc' }), context());
  },
};

describe('while the table does not answer', () => {
  it.each(Object.keys(outages).flatMap((outage) => Object.keys(doors).map((door) => [outage, door] as const)))(
    'when it %s, %s says 503 and when to try again',
    async (outage, door) => {
      table.answerBy(outages[outage] as Script);
      const { statusCode, headers: told = {}, body } = await (doors[door] as () => Promise<APIGatewayProxyResult>)();
      expect([statusCode, told['Retry-After']]).toEqual([503, '10']);
      expect(body).not.toMatch(/Exception|ServerError|127\.0\.0\.1|test/);
      if (!body.startsWith('{')) return;
      const { error } = JSON.parse(body);
      expect(error.code).toBe('internal_error');
      expect(error.details).toEqual({ request_id: 'request-1', reason: 'unavailable' });
      expect(error.message).toMatch(door.includes('French') ? /ne répond pas/ : /does not answer/);
    },
  );

  it('the console shows a page that says so', () => {
    const page = failedPage('fr', 'request-1', 10);
    expect(page).toMatchObject({ kind: 'document', status: 503 });
    expect(entries.consoleHeaders(page, 'fr', event())).toMatchObject({ 'Retry-After': '10' });
    expect(String(page.kind === 'document' && page.document)).toContain('ne répond pas');
    expect(failedPage('en', 'request-1')).toMatchObject({ status: 500 });
  });

  it('a request that we have made wrong is 500, since it fails again', async () => {
    table.answerBy((response) => tell(response, { __type: 'ValidationException' }, 400));
    const { statusCode, headers: told } = await (doors['the API'] as () => Promise<APIGatewayProxyResult>)();
    expect([statusCode, told?.['Retry-After']]).toEqual([500, undefined]);
  });
});
