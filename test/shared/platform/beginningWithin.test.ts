import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beginningWithin } from '../../../shared/platform/deadline.ts';
import { HttpClient, UnansweredRequest, wasBegunTooLate } from '../../../shared/platform/httpClient.ts';

let server: Server;
const open: ServerResponse[] = [];
const policy = { connections: 1, idle: 4000, waiting: 5000, connecting: 2000, answering: 5000, reading: 5000 };

beforeAll(async () => {
  server = createServer((_, response) => void open.push(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const request = () => ({
  ...{ protocol: 'http:', hostname: '127.0.0.1', port: (server.address() as AddressInfo).port },
  ...{ method: 'GET', path: '/', headers: {} },
});

const answered = async (count: number) => {
  while (open.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('a request that must begin within a time', () => {
  it('fails unsent when no connection came free in it', async () => {
    const client = new HttpClient(policy);
    const first = client.send(request());
    await answered(1);
    const started = performance.now();
    const error = await beginningWithin(150, () => client.send(request())).catch((caught: unknown) => caught);
    expect([wasBegunTooLate(error), (error as UnansweredRequest).neverSent]).toEqual([true, true]);
    expect(performance.now() - started).toBeLessThan(2000);
    expect(open.length).toBe(1);
    open[0]?.end();
    (await first).resume();
    client.destroy();
  });

  it('is not sent when the time was over before it', async () => {
    const client = new HttpClient(policy);
    const before = open.length;
    const late = beginningWithin(30, async () => {
      const until = performance.now() + 60;
      while (performance.now() < until);
      return client.send(request());
    });
    await expect(late).rejects.toBeInstanceOf(UnansweredRequest);
    expect(open.length).toBe(before);
    client.destroy();
  });

  it('may be answered later', async () => {
    const client = new HttpClient(policy);
    const before = open.length;
    const answer = beginningWithin(100, () => client.send(request()));
    await answered(before + 1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    open.at(-1)?.end();
    (await answer).resume();
    client.destroy();
  });
});
