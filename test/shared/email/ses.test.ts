import type { RequestListener } from 'node:http';
import { jest } from '@jest/globals';
import { mimeOf } from '../../../shared/email/mime.ts';
import { startProvider, type TestProvider } from '../platform/aws/provider.ts';

Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: 'local',
  AWS_REGION: 'us-east-1',
  AWS_SECRET_ACCESS_KEY: 'local',
  CAMPAIGN_CONFIGURATION_SET: 'campaigns',
  CONFIGURATION_SET: 'mail',
});

let provider: TestProvider;
let respond: RequestListener;
let verbs: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../shared/email/bulk.ts')),
  ...(await import('../../../shared/email/ses.ts')),
  ...(await import('../../../shared/email/ses.ts')),
});

beforeAll(async () => {
  provider = await startProvider((request, response) => request.resume().on('end', () => respond(request, response)));
  process.env.AWS_ENDPOINT_URL_SESV2 = provider.endpoint;
  verbs = await load();
});
afterAll(() => provider.stop());

const tracking = { opens: false, clicks: false };
const send = () =>
  verbs.sendEnvelope({
    recipients: ['ada@example.net'],
    mime: mimeOf(Buffer.from('Subject: Hi\r\n\r\nHi.')),
    tags: [],
    tracking,
  });
const sendBulk = () =>
  verbs.sendBulk(
    {
      ...{ from: 'news@example.com', subject: 'Hi', html: '<p>Hi.</p>', text: 'Hi.', data: {}, headers: [], tags: [] },
      entries: [{ email: 'ada@example.net', data: {}, headers: [], tags: [] }],
      tracking,
    },
    AbortSignal.timeout(30_000),
  );

/** The outcome of a single message, and that of a campaign. */
type Row = readonly [name: string, status: number, kind: 'refused' | 'obstacle' | 'deferred', campaign: string];

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html#API_SendEmail_Errors */
const ofSendEmail: readonly Row[] = [
  ['AccountSuspendedException', 400, 'obstacle', 'provider_paused'],
  ['BadRequestException', 400, 'refused', 'provider_refuses'],
  ['LimitExceededException', 400, 'obstacle', 'provider_day_used_up'],
  ['MailFromDomainNotVerifiedException', 400, 'obstacle', 'domain_unverified'],
  ['MessageRejected', 400, 'refused', 'provider_refuses'],
  ['NotFoundException', 404, 'obstacle', 'provider_refuses'],
  ['SendingPausedException', 400, 'obstacle', 'provider_paused'],
  ['TooManyRequestsException', 429, 'deferred', 'throttled'],
];

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/CommonErrors.html */
const common: readonly Row[] = [
  ['AccessDeniedException', 403, 'obstacle', 'provider_refuses'],
  ['ExpiredTokenException', 403, 'obstacle', 'provider_unreachable'],
  ['IncompleteSignature', 403, 'obstacle', 'provider_refuses'],
  ['MalformedHttpRequestException', 400, 'obstacle', 'provider_refuses'],
  ['NotAuthorized', 401, 'obstacle', 'provider_refuses'],
  ['OptInRequired', 403, 'obstacle', 'provider_refuses'],
  ['RequestEntityTooLargeException', 413, 'refused', 'provider_refuses'],
  ['RequestExpired', 400, 'obstacle', 'provider_unreachable'],
  ['ThrottlingException', 400, 'deferred', 'throttled'],
  ['UnknownOperationException', 404, 'obstacle', 'provider_refuses'],
  ['UnrecognizedClientException', 403, 'obstacle', 'provider_unreachable'],
  ['ValidationError', 400, 'refused', 'provider_refuses'],
];

/** Names of the same in other protocols, and what the signature (AWS IAM User Guide, "Signature Version 4") fails by. */
const ofOtherProtocols: readonly Row[] = [
  ['AccessDenied', 403, 'obstacle', 'provider_refuses'],
  ['ExpiredToken', 403, 'obstacle', 'provider_unreachable'],
  ['InvalidClientTokenId', 403, 'obstacle', 'provider_unreachable'],
  ['InvalidSignatureException', 403, 'obstacle', 'provider_unreachable'],
  ['MissingAuthenticationToken', 403, 'obstacle', 'provider_refuses'],
  ['MissingAuthenticationTokenException', 403, 'obstacle', 'provider_refuses'],
  ['SerializationException', 400, 'refused', 'provider_refuses'],
  ['SignatureDoesNotMatch', 403, 'obstacle', 'provider_unreachable'],
  ['Throttling', 400, 'deferred', 'throttled'],
  ['ValidationException', 400, 'refused', 'provider_refuses'],
];

/** The SDK's error for missing credentials (`@smithy/core/config`). */
const ofSdk: readonly Row[] = [['CredentialsProviderError', 400, 'obstacle', 'provider_unreachable']];

const rows = [...ofSendEmail, ...common, ...ofOtherProtocols, ...ofSdk];

const answering =
  (status: number, error: string, message = 'No.'): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': error });
    response.end(JSON.stringify({ message }));
  };

/** The alarms that are raised. */
async function noticesOf(work: () => Promise<unknown>): Promise<string[]> {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  await work();
  const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)));
  write.mockRestore();
  return lines.flatMap(({ _aws }) => _aws?.CloudWatchMetrics[0].Metrics[0].Name ?? []);
}

it('lists every error that proves that SES did not accept a message', () => {
  expect(Object.keys(verbs.subjects).sort()).toEqual(rows.map(([name]) => name).sort());
});

describe('a single message', () => {
  it.each(rows)('with the error %s (%i): %s', async (name, status, kind) => {
    respond = answering(status, name);
    const notices = await noticesOf(async () => expect(await send()).toEqual({ kind, providerCode: name }));
    const isPaused = ['AccountSuspendedException', 'SendingPausedException'].includes(name);
    expect(notices).toEqual(kind === 'deferred' ? [] : [isPaused ? 'SendingPaused' : 'ProviderRefused']);
  });

  it.each(rows)('with the error %s and a server status may have been accepted', async (name) => {
    respond = answering(500, name);
    expect(await send()).toEqual({ kind: 'unknown', providerCode: name });
  });
});

describe('a single message that SES throttles', () => {
  // The messages: SES Developer Guide, "Errors related to the sending quotas for your account".
  it.each([
    ['Maximum sending rate exceeded.', 'deferred', true],
    ['Daily message quota exceeded.', 'obstacle', false],
  ] as const)('with "%s"', async (message, kind, isForRate) => {
    respond = answering(429, 'TooManyRequestsException', message);
    await noticesOf(async () => {
      const result = await send();
      expect(result).toEqual({ kind, providerCode: 'TooManyRequestsException' });
      expect(result.kind !== 'accepted' && verbs.isForRate(result)).toBe(isForRate);
    });
  });

  it('waits for the rate only by that error, not for SES to be reached', () => {
    expect(verbs.isForRate({ kind: 'deferred', providerCode: 'ECONNREFUSED' })).toBe(false);
  });
});

describe('a call of a campaign', () => {
  it.each(rows)('with the error %s (%i): %s of one message, and here %s', async (name, status, _kind, campaign) => {
    respond = answering(status, name);
    const expected =
      campaign === 'throttled'
        ? { kind: 'throttled', providerCode: name }
        : { kind: 'obstacle', obstacle: { reason: campaign, providerCode: name } };
    expect(await sendBulk()).toEqual(expected);
  });
});
