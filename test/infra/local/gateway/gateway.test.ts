import { jest } from '@jest/globals';
import { gatewayBody, gatewayErrors } from '../../../../infra/gatewayErrors.ts';
import { type Gateway, type GatewayHandler, startGateway } from '../../../../infra/local/gateway/gateway.ts';

const answered: GatewayHandler = async () => ({ statusCode: 200, headers: { 'X-Own': 'yes' }, body: '{}' });

describe('the local gateway', () => {
  let gateway: Gateway;
  let shown: ReturnType<typeof jest.spyOn>;

  beforeAll(async () => {
    shown = jest.spyOn(console, 'error').mockImplementation(() => {});
    gateway = await startGateway({ port: 0 });
    const target = (id: string, handler: GatewayHandler) => ({
      id,
      methods: ['GET'],
      path: `/${id}`,
      timeoutSeconds: 1,
      handler,
    });
    const broken: GatewayHandler = async () => {
      throw new Error('out of memory');
    };
    const targets = [target('broken', broken), target('stuck', () => new Promise(() => {}))];
    gateway.serve(targets, { fallback: target('fallback', answered), requestsPerMinute: 600 });
  });
  afterAll(async () => {
    shown.mockRestore();
    await gateway.stop();
  });

  it.each(['broken', 'stuck'])('answers for a function that is %s, as the deployed gateway does', async (path) => {
    const answer = await fetch(`http://127.0.0.1:${gateway.port}/${path}`);
    const body = (await answer.json()) as { error: { details: { request_id: string } } };
    expect(answer.status).toBe(500);
    expect(body).toEqual(gatewayBody(gatewayErrors.failed, body.error.details.request_id));
    expect(body.error.details.request_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('Content-Language')).toBe('en, fr');
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('600');
  });

  it('adds nothing to the answer of a function', async () => {
    const answer = await fetch(`http://127.0.0.1:${gateway.port}/elsewhere`);
    expect([answer.status, answer.headers.get('X-Own'), answer.headers.get('Content-Language')]).toEqual([
      200,
      'yes',
      null,
    ]);
  });
});
