import { type ServiceError, ValidationError } from '../../../../shared/contract/errors.ts';
import { tools } from '../../../../shared/contract/tools.ts';
import { catalogIn } from '../../../../shared/documentation/catalog/catalog.ts';
import type { ToolCall } from '../../../../shared/documentation/catalog/tools.ts';
import { type Arguments, restRequest } from '../../../../shared/mcp/internal/restRequest.ts';

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
  it('puts each argument into path, query, header or body', () => {
    expect(requestOf('list_subscribers', { limit: 10, q: 'a&b=c', status: null })).toEqual({
      method: 'GET',
      path: '/api/v1/subscribers?limit=10&q=a%26b%3Dc',
      headers: {},
    });
    const { path, body } = requestOf('send_campaign', { id: 'camp_1', to: ['a@example.net'] });
    expect(path).toBe('/api/v1/campaigns/camp_1/send');
    expect(JSON.parse(body ?? '')).toEqual({ to: ['a@example.net'], dry_run: false });
  });

  it.each(tools.filter(({ route }) => !route.request.query))(
    'is never made of an argument that $name does not have',
    ({ name }) => {
      for (const argument of ['foo', 'Subject', 'scheduledAt', 'dryRun', '__proto__', '']) {
        const given = JSON.parse(`{"id":"x_1","email":"a@example.net","${argument}":1}`);
        const refusal = refusalOf(name, given) as ValidationError;
        expect(refusal.issues.map(({ path }) => path)).toContain(argument);
      }
    },
  );

  it.each([
    ['dryRun', '`preview_campaign_send`'],
    ['TEST', '`preview_campaign_send`'],
    ['scheduled_at', '/schedule`'],
    ['recipients', '`to`'],
    ['segment_id', '`to`'],
    ['ID', '`id`'],
    ['note', 'id, to'],
  ])('is never made of %s for send_campaign: the refusal names %s', (argument, named) => {
    const refusal = refusalOf('send_campaign', { id: 'camp_1', [argument]: true }) as ValidationError;
    expect(refusal.issues).toEqual([{ path: argument, text: expect.anything() }]);
    for (const text of Object.values(refusal.issues[0]?.text ?? {})) expect(text).toContain(named);
  });

  it('is never made of null for dry_run', () => {
    for (const name of ['send_campaign', 'preview_campaign_send']) {
      expect(refusalOf(name, { id: 'camp_1', dry_run: null })).toBeInstanceOf(ValidationError);
    }
    expect(JSON.parse(requestOf('send_campaign', { id: 'camp_1', to: null }).body ?? '')).toMatchObject({ to: null });
  });

  it('keeps an argument inside its path segment', () => {
    expect(requestOf('get_email', { id: 'a/../b?c#d' }).path).toBe('/api/v1/emails/a%2F..%2Fb%3Fc%23d');
    expect(requestOf('get_email', { id: '...' }).path).toBe('/api/v1/emails/...');
    for (const id of ['.', '..']) expect(refusalOf('get_email', { id }).code).toBe('not_found');
  });

  it('reports all arguments at once that no request can carry', () => {
    const refusal = refusalOf('preview_campaign_send', { dry_run: false });
    expect(refusal).toBeInstanceOf(ValidationError);
    expect((refusal as ValidationError).issues.map(({ path }) => path)).toEqual(['id', 'dry_run']);
  });

  it('derives a key from the arguments, in any order, if none is given', () => {
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

  it('never lets an argument inject a header', () => {
    const { headers } = requestOf('send_email', { idempotency_key: 'a\r\nX-Api-Key: b\u2028🎉' });
    expect(headers).toEqual({ 'idempotency-key': 'aééX-Api-Key: béé' });
  });

  it('keeps infinite numbers', () => {
    expect(requestOf('add_subscriber', { fields: { a: Infinity, b: -Infinity } }).body).toBe(
      '{"fields":{"a":1e999,"b":-1e999}}',
    );
  });
});
