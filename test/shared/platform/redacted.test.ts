import { redacted } from '../../../shared/platform/logger.ts';

describe('redacted', () => {
  it.each([
    ['failed the check: ada@example.net', 'failed the check: [address]'],
    ['Ada <ada.b+c@mail.example.co.uk>, bob@localhost', 'Ada <[address]>, [address]'],
    ['"ada b"@example.net, björn@exämple.com', '[address], [address]'],
    ['GET /api/v1/subscribers/ada%40example.net', 'GET /api/v1/subscribers/[address]'],
    ['key mr_live_abc123 secret whsec_MfKQ9r8GKYo=', 'key [secret] secret [secret]'],
    [
      "have been\n'POST\n/\n\nhost:a\nx-amz-security-token:IQoJ/b3+p2Z==\n\nhost'",
      "have been\n'POST\n/\n\nhost:a\nx-amz-security-token:[secret]\n\nhost'",
    ],
    ['{"X-Amz-Security-Token": "IQoJ/b3="}', '{"X-Amz-Security-Token": "[secret]"}'],
    [`Credential=AK/2026, Signature=${'0f'.repeat(32)}.`, 'Credential=AK/2026, Signature=[secret].'],
    [`?X-Amz-Date=2&X-Amz-Signature=${'0f'.repeat(32)}&x=1`, '?X-Amz-Date=2&X-Amz-Signature=[secret]&x=1'],
    ['?X-Amz-Security-Token=IQoJ%2Fb3%3D&X-Amz-Date=2', '?X-Amz-Security-Token=[secret]&X-Amz-Date=2'],
  ])('%s → %s', (text, expected) => {
    expect(redacted(text)).toBe(expected);
  });

  it.each([
    'at node_modules/@aws-sdk/client-sqs/dist-es/index.js:1:1',
    'The environment variable TABLE_NAME is not set.',
    'SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=ab',
    'arn:aws:sqs:us-east-1:000000000000:mailroom-feedback',
  ])('leaves %s as it is', (text) => {
    expect(redacted(text)).toBe(text);
  });

  it('takes no longer for a text without end', () => {
    const startedAt = performance.now();
    redacted(`${'a'.repeat(1_000_000)}@`);
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});
