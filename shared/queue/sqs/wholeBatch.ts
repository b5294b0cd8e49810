import { sqs } from './client.ts';

interface Refusal {
  readonly Code?: string | undefined;
  readonly SenderFault?: boolean | undefined;
}

/** SQS did not do what was asked with some entries of a call; with the others it did. By the name of the first refusal. */
class EntriesRefused extends Error {
  override readonly name: string;
  /** To be tried again, unless SQS says that an entry itself is at fault. */
  readonly $retryable: object | undefined;

  constructor(count: number, all: number, refusals: readonly Refusal[]) {
    super(`SQS refused ${count} of ${all} messages.`);
    this.name = refusals[0]?.Code ?? 'EntriesRefused';
    this.$retryable = refusals.some(({ SenderFault }) => SenderFault) ? undefined : {};
  }
}

interface Told {
  readonly Successful?: readonly { readonly Id: string | undefined }[] | undefined;
  readonly Failed?: readonly Refusal[] | undefined;
}

/**
 * Asks something of SQS for up to ten messages, and again for those with which it was not done: to SQS and its SDK a call
 * of which a part failed is a success. One of which an answer says nothing was not done.
 */
export function wholeBatch<Message>(
  messages: readonly Message[],
  ask: (entries: readonly (Message & { readonly Id: string })[]) => Promise<Told>,
): Promise<void> {
  let left = messages.map((message, index) => ({ ...message, Id: String(index) }));
  return sqs.attempting(async () => {
    const { Successful = [], Failed = [] } = await ask(left);
    const done = new Set(Successful.map(({ Id }) => Id));
    left = left.filter(({ Id }) => !done.has(Id));
    if (left.length > 0) throw new EntriesRefused(left.length, messages.length, Failed);
  });
}
