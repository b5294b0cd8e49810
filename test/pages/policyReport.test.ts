import { jest } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { policyReport, policyReporting } from '../../shared/http/policyReport.ts';
import { logger } from '../../shared/platform/logger.ts';

const host = 'mail.example.com';
const legacy = (fields: object = {}) => ({
  'csp-report': {
    'document-uri': `https://${host}/unsubscribe/secret-token?email=ada@example.net`,
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.example/x.js?ada@example.net',
    'line-number': 3,
    ...fields,
  },
});
const modern = {
  type: 'csp-violation',
  body: { documentURL: `https://${host}/prod/join/abc`, effectiveDirective: 'img-src', blockedURL: 'inline' },
};

let lines: jest.SpiedFunction<typeof logger.warn>;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  lines = jest.spyOn(logger, 'warn').mockReturnValue(undefined);
});
afterEach(() => {
  jest.useRealTimers();
  lines.mockRestore();
});

/** Later than all reports before. */
let minutes = 0;
const report = async (body: unknown) => {
  const event = {
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)).toString('base64'),
    isBase64Encoded: true,
    headers: { Host: host },
    requestContext: { requestId: 'r' },
  } as unknown as APIGatewayProxyEvent;
  return (await policyReport(event, {} as Context)).statusCode;
};
const nextMinute = () => {
  minutes += 2;
  jest.setSystemTime(new Date(2026, 10, 23, 12, minutes));
};

describe('a report of a browser', () => {
  beforeEach(nextMinute);

  it('becomes a line of the log, without the token of the page and without an address', async () => {
    expect(await report(legacy())).toBe(204);
    expect(await report([modern, { type: 'deprecation' }])).toBe(204);
    expect(lines.mock.calls.map(([, fields]) => fields)).toEqual([
      { page: '/unsubscribe', directive: 'script-src-elem', blocked: 'https://evil.example', line: 3, column: null },
      { page: '/join', directive: 'img-src', blocked: 'inline', line: null, column: null },
    ]);
    expect(JSON.stringify(lines.mock.calls)).not.toMatch(/secret-token|ada@|abc/);
  });

  it('is dropped when it is of another site, and refused when it is none or too large', async () => {
    expect(await report(legacy({ 'document-uri': 'https://elsewhere.example/' }))).toBe(204);
    expect(await report(legacy({ 'effective-directive': 'x\n{"level":"ERROR"}' }))).toBe(204);
    expect(await report(legacy({ 'document-uri': 5 }))).toBe(204);
    for (const body of ['', '{', '{}', 'null', '"x"', { 'csp-report': 1 }]) expect(await report(body)).toBe(400);
    expect(await report(legacy({ 'blocked-uri': 'x'.repeat(9000) }))).toBe(413);
    expect(lines).not.toHaveBeenCalled();
  });

  it('is one of at most 20 lines a minute; what was left out is counted', async () => {
    for (let count = 0; count < 50; count += 1) expect(await report(legacy())).toBe(204);
    expect(lines).toHaveBeenCalledTimes(20);
    nextMinute();
    expect(await report(Array.from({ length: 30 }, () => modern))).toBe(204);
    expect(lines).toHaveBeenCalledTimes(25);
    expect(lines.mock.calls[20]?.[1]).toMatchObject({ left_out: 30 });
    expect(lines.mock.calls[21]?.[1]).not.toHaveProperty('left_out');
  });
});

describe('the policy of a page', () => {
  it.each([
    ['/', 'policy-reports'],
    ['/health', 'policy-reports'],
    ['/join/abc', '../policy-reports'],
    ['/console/ws_1/people/x', '../../../policy-reports'],
  ])('of %s names where to report, relative to the page', (path, address) => {
    for (const base of ['https://mail.example.com', 'https://api.example.com/prod']) {
      expect(new URL(address, `${base}${path}`).href).toBe(`${base}/policy-reports`);
    }
    expect(policyReporting({ path })).toEqual({
      directives: [`report-uri ${address}`, 'report-to policy'],
      headers: { 'Reporting-Endpoints': `policy="${address}"` },
    });
  });
});
