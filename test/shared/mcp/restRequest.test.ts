import { catalogIn } from '../../../infra/mcp/catalog.ts';
import type { ToolCall } from '../../../shared/contract/catalog.ts';
import { type ServiceError, ValidationError } from '../../../shared/contract/errors.ts';
import { type Arguments, restRequest } from '../../../shared/mcp/restRequest.ts';

const { calls } = catalogIn('en');
const requestOf = (name: string, given: Arguments) => restRequest(calls[name] as ToolCall, given);

function refusalOf(name: string, given: Arguments): ServiceError {
  try {
    requestOf(name, given);
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('It was not refused.');
}

describe('the request behind a tool', () => {
  it('puts each argument where its route wants it', () => {
    expect(requestOf('list_subscribers', { limit: 10, q: 'a&b=c', status: null })).toEqual({
      method: 'GET',
      path: '/api/v1/subscribers?limit=10&q=a%26b%3Dc',
      headers: {},
    });
    const { path, body } = requestOf('send_campaign', { id: 'camp_1', to: ['a@example.net'], unknown: 1 });
    expect(path).toBe('/api/v1/campaigns/camp_1/send');
    expect(JSON.parse(body ?? '')).toEqual({ to: ['a@example.net'], unknown: 1, dry_run: false });
  });

  it('keeps what a caller writes inside the segment that it is for', () => {
    expect(requestOf('get_email', { id: 'a/../b?c#d' }).path).toBe('/api/v1/emails/a%2F..%2Fb%3Fc%23d');
    expect(requestOf('get_email', { id: '...' }).path).toBe('/api/v1/emails/...');
    for (const id of ['.', '..']) expect(refusalOf('get_email', { id }).code).toBe('not_found');
  });

  it('refuses all that no request can carry at once', () => {
    const refusal = refusalOf('preview_campaign_send', { dry_run: false });
    expect(refusal).toBeInstanceOf(ValidationError);
    expect((refusal as ValidationError).issues.map(({ path }) => path)).toEqual(['id', 'dry_run']);
  });

  it('has a key made of the arguments where none is given, whatever their order', () => {
    const one = requestOf('send_email', { to: 'a@example.net', subject: 'S' }).headers;
    const other = requestOf('send_email', { subject: 'S', to: 'a@example.net', idempotency_key: null }).headers;
    expect(one).toEqual({ 'idempotency-key': expect.stringMatching(/^mcp-[0-9a-f]{64}$/) });
    expect(other).toEqual(one);
    expect(requestOf('send_email', { subject: 'T', to: 'a@example.net' }).headers).not.toEqual(one);
    expect(requestOf('send_email', { subject: 'S', idempotency_key: 'mine' }).headers).toEqual({
      'idempotency-key': 'mine',
    });
    expect(requestOf('add_subscriber', { email: 'a@example.net' }).headers).toEqual({});
  });

  it('never lets an argument write a header of its own', () => {
    const { headers } = requestOf('send_email', { idempotency_key: 'a\r\nX-Api-Key: b\u2028🎉' });
    expect(headers).toEqual({ 'idempotency-key': 'aééX-Api-Key: béé' });
  });

  it('writes numbers that are read as infinite as they were', () => {
    expect(requestOf('add_subscriber', { fields: { a: Infinity, b: -Infinity } }).body).toBe(
      '{"fields":{"a":1e999,"b":-1e999}}',
    );
  });
});
