import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import { until } from '../processes.ts';
import { type Harness, simple, startHarness } from './harness.ts';

let harness: Harness;
/** Fixed once it is set; the machine's clock before. */
let moment: number | undefined;
beforeEach(async () => {
  moment = undefined;
  harness = await startHarness({}, () => moment ?? Date.now());
});
afterEach(() => harness.stop());

const send = (overrides = {}) => harness.client.send(simple(overrides));
const stored = async () => (await harness.json('/_inbox/messages')).data.length;

describe('faults', () => {
  it('throttle by recipients a second, and accept mail again as time passes', async () => {
    moment = Date.now();
    await harness.faults({ rate_per_second: 20 });
    const many = { Destination: { ToAddresses: Array.from({ length: 20 }, (_, index) => `u${index}@customer.test`) } };
    await send(many);
    await expect(send()).rejects.toMatchObject({
      name: 'TooManyRequestsException',
      message: 'Maximum sending rate exceeded.',
      $metadata: expect.objectContaining({ httpStatusCode: 429 }),
    });
    moment += 150;
    expect((await send()).MessageId).toBeDefined();
  });

  it('refuse mail above the daily quota, against which the simulator does not count', async () => {
    await harness.faults({ max_24_hour_send: 1 });
    await send({ Destination: { ToAddresses: ['success@simulator.amazonses.com'] } });
    await send();
    await expect(send()).rejects.toMatchObject({
      name: 'TooManyRequestsException',
      message: 'Daily message quota exceeded.',
    });
    const { SendQuota } = await harness.client.send(new GetAccountCommand({}));
    expect(SendQuota).toMatchObject({ Max24HourSend: 1, SentLast24Hours: 1 });
  });

  it('answer with a named error for the next calls only, and store nothing', async () => {
    await harness.faults({ error: 'MessageRejected', next: 2 });
    await expect(send()).rejects.toMatchObject({ name: 'MessageRejected' });
    await expect(send()).rejects.toMatchObject({ name: 'MessageRejected' });
    expect(await stored()).toBe(0);
    expect((await send()).MessageId).toBeDefined();
  });

  it('fail all calls at an error rate of 1, but only those that send', async () => {
    await harness.faults({ error_rate: 1 });
    await expect(send()).rejects.toMatchObject({
      name: 'InternalServiceErrorException',
      $metadata: { httpStatusCode: 500 },
    });
    expect((await harness.client.send(new GetAccountCommand({}))).SendingEnabled).toBe(true);
    await harness.faults({ error_rate: 1, operations: ['GetAccount'] });
    await expect(harness.client.send(new GetAccountCommand({}))).rejects.toMatchObject({
      name: 'InternalServiceErrorException',
    });
  });

  it('hang without accepting the message', async () => {
    await harness.faults({ hang: true, next: 1 });
    const impatient = new AbortController();
    const sending = harness.client.send(simple(), { abortSignal: impatient.signal });
    const abandoned = expect(sending).rejects.toMatchObject({ name: 'AbortError' });
    await until('the call has come', async () => (await harness.json('/_control/faults')).hang === null);
    impatient.abort();
    await abandoned;
    expect(await stored()).toBe(0);
    expect((await send()).MessageId).toBeDefined();
  });

  it('drop the connection after accepting the message, whose events are still published', async () => {
    await harness.faults({ drop_after_accept: { next: 1 } });
    await expect(send()).rejects.toMatchObject({ message: expect.stringMatching(/hang up|ECONNRESET/) });
    const [message] = (await harness.json('/_inbox/messages')).data;
    expect(await harness.waitFor('Delivery', message.message_id)).toHaveLength(1);
    expect((await send()).MessageId).toBeDefined();
  });

  it('send the given answer after accepting the message, whose events are still published', async () => {
    await harness.faults({ answer_after_accept: { status: 503, error: 'ServiceUnavailable', body: '{}', next: 1 } });
    await expect(send()).rejects.toMatchObject({ name: 'ServiceUnavailable', $metadata: { httpStatusCode: 503 } });
    const [message] = (await harness.json('/_inbox/messages')).data;
    expect(await harness.waitFor('Delivery', message.message_id)).toHaveLength(1);
    expect((await send()).MessageId).toBeDefined();
  });

  it('pause sending', async () => {
    await harness.faults({ sending_paused: true });
    await expect(send()).rejects.toMatchObject({ name: 'SendingPausedException' });
    expect((await harness.client.send(new GetAccountCommand({}))).SendingEnabled).toBe(false);
  });

  it('publish every event twice', async () => {
    await harness.faults({ duplicate_events: true });
    const { MessageId } = await send();
    const twice = await harness.waitFor('Delivery', String(MessageId), 2);
    expect(twice[0]).toEqual(twice[1]);
  });

  it('publish all events of shuffled messages, none twice', async () => {
    await harness.faults({ shuffle_events: true });
    const ids = await Promise.all(Array.from({ length: 10 }, async () => String((await send()).MessageId)));
    for (const id of ids) await harness.waitFor('Delivery', id);
    for (const id of ids) await harness.waitFor('Send', id);
    expect(harness.events).toHaveLength(20);
  });

  it('are read back, and replaced as a whole', async () => {
    await harness.faults({ latency_ms: 5, rate_per_second: 7 });
    expect(await harness.json('/_control/faults')).toMatchObject({
      latency_ms: 5,
      rate_per_second: 7,
      event_delay_ms: 10,
    });
    await harness.faults({});
    expect(await harness.json('/_control/faults')).toMatchObject({
      latency_ms: 0,
      rate_per_second: null,
      event_delay_ms: 10,
    });
  });

  it('that do not exist are refused', async () => {
    const body = JSON.stringify({ error: 'NoSuchError', speed: 1 });
    const answer = await fetch(`${harness.ses.endpoint}/_control/faults`, { method: 'PUT', body });
    expect(answer.status).toBe(400);
  });
});

describe('GetAccount', () => {
  it('reports what the account may send and has sent', async () => {
    await harness.faults({ rate_per_second: 14, max_24_hour_send: 50000 });
    await send();
    expect(await harness.client.send(new GetAccountCommand({}))).toMatchObject({
      ProductionAccessEnabled: true,
      SendingEnabled: true,
      EnforcementStatus: 'HEALTHY',
      SendQuota: { Max24HourSend: 50000, MaxSendRate: 14, SentLast24Hours: 1 },
    });
  });
});
