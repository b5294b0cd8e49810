import type { Message } from '@aws-sdk/client-sqs';
import { failedMessages, retryDelaySeconds } from '../../../../../infra/local/messaging/internal/queueBatch.ts';

const messages: Message[] = [{ MessageId: 'a' }, { MessageId: 'b' }];
const ids = (answer: unknown) => failedMessages(messages, answer).map(({ MessageId }) => MessageId);

describe('failedMessages', () => {
  it.each<[string, unknown, string[]]>([
    ['no answer', undefined, []],
    ['null', null, []],
    ['an answer without failures', {}, []],
    ['failures that are null', { batchItemFailures: null }, []],
    ['an empty list', { batchItemFailures: [] }, []],
    ['one failure', { batchItemFailures: [{ itemIdentifier: 'b' }] }, ['b']],
    ['the same failure twice', { batchItemFailures: [{ itemIdentifier: 'b' }, { itemIdentifier: 'b' }] }, ['b']],
    ['an unknown message', { batchItemFailures: [{ itemIdentifier: 'c' }] }, ['a', 'b']],
    ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }, ['a', 'b']],
    ['a wrong key name', { batchItemFailures: [{ id: 'a' }] }, ['a', 'b']],
    ['something that is not a list', { batchItemFailures: 'b' }, ['a', 'b']],
  ])('treats %s as Lambda does', (_, answer, expected) => {
    expect(ids(answer)).toEqual(expected);
  });
});

describe('retryDelaySeconds', () => {
  it.each([
    ['1', 1],
    ['2', 2],
    ['4', 8],
    ['6', 30],
    ['20', 30],
  ])('after %s receives waits %d s', (ApproximateReceiveCount, expected) => {
    expect(retryDelaySeconds({ Attributes: { ApproximateReceiveCount } })).toBe(expected);
  });
});
