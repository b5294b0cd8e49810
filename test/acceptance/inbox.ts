import { type ParsedMail, simpleParser } from 'mailparser';
import { eventually } from './client.ts';
import type { TestService } from './service.ts';

export interface InboxMessage {
  readonly id: number;
  readonly message_id: string;
  readonly from: string;
  readonly recipients: readonly string[];
  readonly subject: string;
}

/** The local SES's messages to a recipient, newest first. */
export async function inbox(service: TestService, recipient: string): Promise<InboxMessage[]> {
  const url = `${service.sesEndpoint}/_inbox/messages?limit=1000&to=${encodeURIComponent(recipient)}`;
  const { data } = (await (await fetch(url)).json()) as { data: InboxMessage[] };
  return data;
}

/** All messages of the local SES, newest first. */
export async function* everyMessage(service: TestService): AsyncGenerator<InboxMessage> {
  let after: number | null = null;
  do {
    const url = `${service.sesEndpoint}/_inbox/messages?limit=1000${after === null ? '' : `&after=${after}`}`;
    const page = (await (await fetch(url)).json()) as { data: InboxMessage[]; next_after: number | null };
    yield* page.data;
    after = page.next_after;
  } while (after !== null);
}

/** The number of messages of each recipient, by one pass through the inbox. */
export async function countsOf(service: TestService, recipients: readonly string[]): Promise<number[]> {
  const counts = new Map(recipients.map((recipient) => [recipient, 0]));
  for await (const message of everyMessage(service)) {
    for (const one of message.recipients) if (counts.has(one)) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return recipients.map((recipient) => counts.get(recipient) ?? 0);
}

/** The source of a message as the recipient gets it. */
async function source(service: TestService, id: number): Promise<Buffer> {
  const response = await fetch(`${service.sesEndpoint}/_inbox/messages/${id}/source`);
  return Buffer.from(await response.arrayBuffer());
}

/** Waits for mail and parses it as a mail client does. */
export async function received(
  service: TestService,
  recipient: string,
): Promise<{ message: InboxMessage; raw: Buffer; mail: ParsedMail }> {
  const [message] = await eventually(async () => {
    const found = await inbox(service, recipient);
    return found.length > 0 && found;
  });
  if (!message) throw new Error(`No mail for ${recipient}.`);
  const raw = await source(service, message.id);
  return { message, raw, mail: await simpleParser(raw) };
}

/** Sets the faults of the local SES; none without an argument. */
export async function setFaults(service: TestService, faults: Record<string, unknown> = {}): Promise<void> {
  const response = await fetch(`${service.sesEndpoint}/_control/faults`, {
    method: 'PUT',
    body: JSON.stringify(faults),
  });
  if (!response.ok) throw new Error(await response.text());
}
