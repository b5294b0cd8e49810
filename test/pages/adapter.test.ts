import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { lambdaContext } from '../../infra/local/lambdaContext.ts';
import { pages } from '../../shared/contract/endpoints.ts';
import { ServiceError } from '../../shared/contract/errors.ts';
import { routes } from '../../shared/contract/routes.ts';
import { matchPath } from '../../shared/contract/routing.ts';
import { page } from '../../shared/http/page.ts';
import type { PageCall, PageReply } from '../../shared/pages/call.ts';
import { html } from '../../shared/pages/html.ts';
import { layout } from '../../shared/pages/layout.ts';
import { logger } from '../../shared/platform/logger.ts';
import { PageDocument } from './documents.ts';

process.env.PUBLIC_URL = 'https://mail.example.com/prod/';
logger.setLogLevel('SILENT');

const document = layout({ language: 'en', workspace: null, notice: { title: { en: 'T', fr: 'T' }, paragraphs: [] } });
const silent = async (): Promise<PageReply> => ({ status: 200, document });

function eventOf(changes: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent {
  return {
    httpMethod: 'GET',
    path: '/test/abc',
    headers: {},
    pathParameters: { token: 'abc' },
    body: null,
    isBase64Encoded: false,
    requestContext: { requestId: 'request-1', identity: { sourceIp: '203.0.113.9' } },
    ...changes,
  } as APIGatewayProxyEvent;
}

/** What a page with these verbs answers to an event. */
const serve = (verbs: Parameters<typeof page>[1], event: APIGatewayProxyEvent) =>
  page('test', verbs)(event, lambdaContext('test', 29));

/** Gives an event to a page and tells which verb was called with what. */
async function calling(event: APIGatewayProxyEvent): Promise<{ method: string; call: PageCall } | undefined> {
  let seen: { method: string; call: PageCall } | undefined;
  const verb = (method: string) => async (call: PageCall) => {
    seen = { method, call };
    return { status: 200, document };
  };
  await serve({ GET: verb('GET'), POST: verb('POST') }, event);
  return seen;
}

describe('page', () => {
  it.each([
    ['GET', 'GET'],
    ['HEAD', 'GET'],
    ['POST', 'POST'],
  ])('gives %s to the verb of %s', async (method, verb) => {
    expect(await calling(eventOf({ httpMethod: method }))).toMatchObject({ method: verb });
  });

  it('hands over who calls, the parameter decoded, the fields and the source', async () => {
    const body = Buffer.from('email=ada%2Bx%40example.com&firstName=%C3%89va').toString('base64');
    const seen = await calling(
      eventOf({
        httpMethod: 'POST',
        pathParameters: { token: 'a%2Eb' },
        headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8', 'accept-language': 'fr-CH, en' },
        body,
        isBase64Encoded: true,
      }),
    );
    expect(seen?.call).toMatchObject({
      actor: { kind: 'person' },
      parameter: 'a.b',
      language: 'fr',
      source: '203.0.113.9',
    });
    expect(Object.fromEntries(seen?.call.form ?? [])).toEqual({ email: 'ada+x@example.com', firstName: 'Éva' });
  });

  it('keeps a parameter that is not percent-encoded text, and reads no fields from another kind of body', async () => {
    const seen = await calling(
      eventOf({ pathParameters: { token: '%E0%A4%A' }, headers: { 'content-type': 'text/plain' }, body: 'email=x' }),
    );
    expect(seen?.call.parameter).toBe('%E0%A4%A');
    expect([...(seen?.call.form ?? [])]).toEqual([]);
  });

  it.each([
    [16_384, 200],
    [16_385, 413],
  ])('takes a form of %i bytes: %i', async (bytes, status) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `email=${'x'.repeat(bytes - 6)}`;
    const answer = await serve({ GET: silent, POST: silent }, eventOf({ httpMethod: 'POST', headers, body }));
    expect(answer.statusCode).toBe(status);
  });

  it('lets in the one style by its hash and nothing else, and no frame', async () => {
    const { headers = {}, body } = await serve({ GET: silent, POST: silent }, eventOf());
    const [style = ''] = new PageDocument(body).text('style');
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['Content-Security-Policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; form-action 'self'; base-uri 'none'; report-uri ../policy-reports; report-to policy; frame-ancestors 'none'`,
    );
    expect(headers['Reporting-Endpoints']).toBe('policy="../policy-reports"');
    expect(headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'X-Frame-Options': 'DENY',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex, nofollow',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Content-Language': 'en',
      Vary: 'Accept-Language',
    });
    expect(Object.keys(headers).map((name) => name.toLowerCase())).not.toContain('set-cookie');
  });

  it('opens the frame to the allowed origins only, and lets no setting write into the policy', async () => {
    const hostile = [
      'https://a.example; script-src *',
      'https://b.example',
      '*',
      "'self'",
      'javascript:alert(1)',
      'http://c.example',
    ];
    const verb = async () => ({ status: 200, document, frameOrigins: hostile });
    const { headers = {} } = await serve({ GET: verb, POST: verb }, eventOf());
    expect(String(headers['Content-Security-Policy'])).toMatch(/; frame-ancestors https:\/\/b\.example$/);
    expect(headers).not.toHaveProperty('X-Frame-Options');
  });

  it('answers a failure with a page that has its reference and nothing of the inside', async () => {
    const verb = async (): Promise<PageReply> => {
      throw new Error('ProvisionedThroughputExceeded table-1');
    };
    const result = await serve({ GET: verb, POST: verb }, eventOf({ headers: { 'Accept-Language': 'fr' } }));
    expect(result.statusCode).toBe(500);
    expect(result.body).toContain('request-1');
    expect(result.body).toContain('Une erreur est survenue');
    expect(result.body).not.toContain('table-1');
    expect(result.headers).toMatchObject({ 'X-Frame-Options': 'DENY', 'Cache-Control': 'no-store' });
  });

  it('answers 503 to what may soon succeed', async () => {
    const verb = async (): Promise<PageReply> => {
      throw new ServiceError('conflict', { retryAfterSeconds: 1 });
    };
    const result = await serve({ GET: verb, POST: verb }, eventOf({ httpMethod: 'POST' }));
    expect([result.statusCode, result.headers?.['Retry-After']]).toEqual([503, '1']);
  });

  it('answers 413 to more than a form sends, and does not call the verb', async () => {
    const event = eventOf({ httpMethod: 'POST', body: 'x'.repeat(17 * 1024) });
    expect(await calling(event)).toBeUndefined();
    expect((await serve({ GET: silent, POST: silent }, event)).statusCode).toBe(413);
  });

  it('says in whole seconds when to come back', async () => {
    const verb = async () => ({ status: 429, document: html``, retryAfterSeconds: 0.4 });
    const { headers } = await serve({ GET: verb, POST: verb }, eventOf());
    expect(headers).toMatchObject({ 'Retry-After': '1' });
  });
});

describe('pages and routes', () => {
  it('share no path', () => {
    const concrete = (path: string) => path.replace(/\{\w+\}/g, 'x');
    for (const { path } of pages) {
      expect(
        routes.filter((route) => matchPath(route.path, concrete(path)) || matchPath(path, concrete(route.path))),
      ).toEqual([]);
    }
  });

  it('have ids of their own', () => {
    const ids = [...pages, ...routes].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('never let a GET write', () => {
    for (const { needs } of pages.filter(({ method }) => method === 'GET')) {
      expect(needs).not.toMatchObject({ table: 'readWrite' });
      expect(needs.email ?? needs.queues ?? needs.scheduler).toBeUndefined();
    }
  });
});
