import { messageIn } from '../../../../shared/mcp/internal/incomingRequest.ts';

const bytesIn = (body: Buffer) => messageIn({ body: body.toString('base64'), isBase64Encoded: true });

describe('the message in a body', () => {
  it('is read from text and from base64', () => {
    expect(messageIn({ body: '{"id":"é😀"}', isBase64Encoded: false })).toEqual({ id: 'é😀' });
    expect(bytesIn(Buffer.from('{"id":"é😀"}'))).toEqual({ id: 'é😀' });
  });

  it.each([
    ['a byte of Latin-1', Buffer.from('{"id":"\xe9"}', 'latin1')],
    ['a character cut short', Buffer.from('{"id":"é"}').subarray(0, 8)],
    ['an overlong form', Buffer.from([...Buffer.from('{"id":"'), 0xc0, 0xaf, ...Buffer.from('"}')])],
  ])('is undefined in a body that is not UTF-8: %s', (_what, body) => {
    expect(bytesIn(body)).toBeUndefined();
  });

  it('is undefined when an argument is given twice: the caller may mean either', () => {
    const call = (fields: string) => `{"id":1,"params":{"arguments":{${fields}}}}`;
    expect(messageIn({ body: call('"dry_run":true'), isBase64Encoded: false })).toMatchObject({ id: 1 });
    expect(messageIn({ body: call('"dry_run":true,"dry_run":false'), isBase64Encoded: false })).toBeUndefined();
  });

  it.each([null, '', '{', '{"id":1}}', '\ufeff{}'])('is undefined in %j, which is not JSON', (body) => {
    expect(messageIn({ body, isBase64Encoded: false })).toBeUndefined();
  });
});
