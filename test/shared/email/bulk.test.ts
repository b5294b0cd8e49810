import type { RequestListener } from 'node:http';
import { startProvider, type TestProvider } from '../platform/aws/provider.ts';

Object.assign(process.env, { CAMPAIGN_CONFIGURATION_SET: 'campaigns', AWS_REGION: 'us-east-1' });
Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });

let provider: TestProvider;
let respond: RequestListener;
let bulk: typeof import('../../../shared/email/bulk.ts');

beforeAll(async () => {
  provider = await startProvider((request, response) => request.resume().on('end', () => respond(request, response)));
  process.env.AWS_ENDPOINT_URL_SESV2 = provider.endpoint;
  bulk = await import('../../../shared/email/bulk.ts');
});
afterAll(() => provider.stop());

const entry = (email: string) => ({ email, data: {}, headers: [], tags: [] });
const call = {
  ...{ from: 'news@example.com', subject: 'Hi', html: '<p>Hi.</p>', text: 'Hi.', data: {}, headers: [], tags: [] },
  entries: [entry('ada@example.net'), entry('bob@example.net')],
  tracking: { opens: false, clicks: false },
};
const send = () => bulk.sendBulk(call, AbortSignal.timeout(30_000));
const answering =
  (body: object): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };

describe('a call that SES answers', () => {
  const yes = { Status: 'SUCCESS', MessageId: 'm' };
  it.each([
    ['MissingResults', []],
    ['MissingResults', [yes]],
    ['NoMessageId', [yes, { Status: 'SUCCESS' }]],
    ['NoMessageId', [{ Status: 'SUCCESS', MessageId: '' }, { Status: 'FAILED' }]],
  ])('may have reached anybody: %s', async (providerCode, results) => {
    respond = answering({ BulkEmailEntryResults: results });
    expect(await send()).toEqual({ kind: 'unknown', providerCode });
  });

  it('returns the outcome of each entry', async () => {
    respond = answering({ BulkEmailEntryResults: [yes, { Status: 'FAILED', Error: 'No.' }] });
    const entries = [
      { kind: 'accepted', messageId: 'm' },
      { kind: 'refused', providerCode: 'FAILED' },
    ];
    expect(await send()).toEqual({ kind: 'answered', entries });
  });
});

describe('a call at its deadline', () => {
  it('ends without an answer of SES, with an unknown outcome', async () => {
    const impatient = new AbortController();
    respond = () => impatient.abort();
    expect(await bulk.sendBulk(call, impatient.signal)).toEqual({ kind: 'unknown', providerCode: 'AbortError' });
  });
});
