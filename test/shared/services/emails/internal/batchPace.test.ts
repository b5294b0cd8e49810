import { mimeOf } from '../../../../../shared/email/mime.ts';
import { sendEnvelope } from '../../../../../shared/email/ses.ts';
import { withDeadline } from '../../../../../shared/platform/deadline.ts';
import { BatchPace } from '../../../../../shared/services/emails/internal/batchPace.ts';
import { startProvider, type TestProvider } from '../../../platform/aws/provider.ts';

Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: 'local',
  AWS_REGION: 'us-east-1',
  AWS_SECRET_ACCESS_KEY: 'local',
  CONFIGURATION_SET: 'mail',
});

let provider: TestProvider;

beforeAll(async () => {
  provider = await startProvider((request, response) => {
    const answer = () => response.setHeader('content-type', 'application/json').end('{"MessageId":"m"}');
    request.resume().on('end', answer);
  });
  process.env.AWS_ENDPOINT_URL_SESV2 = provider.endpoint;
});
afterAll(() => provider.stop());

const envelope = {
  recipients: ['ada@example.net'],
  mime: mimeOf(Buffer.from('Subject: Hi\r\n\r\nHi.')),
  tags: [],
  tracking: { opens: false, clicks: false },
};

it('sends only with enough time left for an answer', async () => {
  const sendWithin = (milliseconds: number) =>
    withDeadline(milliseconds, () => new BatchPace().send(envelope, sendEnvelope));
  expect(await sendWithin(11_000)).toEqual({ kind: 'accepted', messageId: 'm' });
  expect(await sendWithin(9_000)).toEqual({ kind: 'deferred', providerCode: 'Timeout' });
  expect(provider.requests()).toBe(1);
});
