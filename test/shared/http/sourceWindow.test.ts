import type { APIGatewayProxyEvent } from 'aws-lambda';
import { startTestTable } from '../store/testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
beforeAll(async () => {
  table = await startTestTable();
});
afterAll(() => table.stop());

const now = new Date();
const counted = async (sourceIp: string) => {
  const { authenticate } = await import('../../../shared/http/authenticate.ts');
  const event = { headers: {}, requestContext: { identity: { sourceIp } } } as unknown as APIGatewayProxyEvent;
  return (await authenticate(event, now)).window.count;
};

describe('calls without a usable key', () => {
  it('of one IPv6 network, which one household has, share a window; others have their own', async () => {
    expect(await counted('2001:db8:1:2::1')).toBe(1);
    expect(await counted('2001:db8:1:2:ffff:ffff:ffff:9')).toBe(2);
    expect(await counted('2001:db8:1:3::1')).toBe(1);
  });

  it('are counted by address for IPv4, in either spelling', async () => {
    expect(await counted('192.0.2.1')).toBe(1);
    expect(await counted('::ffff:192.0.2.1')).toBe(2);
    expect(await counted('192.0.2.2')).toBe(1);
  });
});
