import { createHash } from 'node:crypto';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import * as fc from 'fast-check';
import { signedHeaders } from '../../../../../shared/platform/aws/signing/signature.ts';

const word = fc.stringMatching(/^[A-Za-z0-9+/=_-]{1,40}$/);
const plain = fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/);
const request = fc.record({
  method: fc.constantFrom('POST', 'DELETE'),
  path: fc.oneof(
    fc.constantFrom('/', '/v2/email/outbound-emails'),
    plain.map((name) => `/schedules/a${name}`),
  ),
  query: fc.dictionary(
    plain.filter((name) => name !== '__proto__'),
    plain,
    { maxKeys: 4 },
  ),
  host: fc.constantFrom('dynamodb.eu-west-3.amazonaws.com', '127.0.0.1:4566', 'email.cn-north-1.amazonaws.com.cn'),
  target: fc.stringMatching(/^[A-Za-z_.0-9]{1,40}$/),
  body: fc.uint8Array({ maxLength: 2000 }),
});
const signatory = fc.record({
  service: fc.constantFrom('dynamodb', 'scheduler', 'secretsmanager', 'ses', 'sqs'),
  region: fc.constantFrom('us-east-1', 'eu-west-3'),
  credentials: fc.record(
    { accessKeyId: word, secretAccessKey: word, sessionToken: word },
    { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
  ),
  date: fc.date({ min: new Date('2020-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
});

describe('a signature', () => {
  it('is that of the SDK', async () => {
    await fc.assert(
      fc.asyncProperty(request, signatory, async ({ method, path, query, host, target, body }, { date, ...signer }) => {
        const headers = {
          host,
          'content-length': String(body.length),
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': target,
        };
        const asked = { method, protocol: 'https:', hostname: host, path, query, headers, body };
        const theirs = await new SignatureV4({ ...signer, sha256: Sha256 }).sign(asked, { signingDate: date });
        const bodyHash = createHash('sha256').update(body).digest('hex');
        expect(signedHeaders({ method, path, query, headers, bodyHash }, { ...signer, date })).toEqual(theirs.headers);
      }),
    );
  });

  it('changes with the secret, though nothing else does', () => {
    const asked = { method: 'POST', path: '/', query: {}, headers: { host: 'localhost' }, bodyHash: '00' };
    const date = new Date('2026-11-22T10:00:00Z');
    const by = (secretAccessKey: string) =>
      signedHeaders(asked, {
        ...{ service: 'dynamodb', region: 'us-east-1', date },
        credentials: { accessKeyId: 'key', secretAccessKey },
      }).authorization;
    expect(by('a')).not.toBe(by('b'));
    expect(by('a')).toBe(by('a'));
  });
});
