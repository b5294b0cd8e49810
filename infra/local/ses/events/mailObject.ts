import { domainOf, type ParsedMailbox, parseMailboxes } from '../mime/addresses.ts';
import { decodeEncodedWords, type Header, headerValue, headerValues } from '../mime/headers.ts';

/** The account in the ARNs of the local SES. */
const accountId = '000000000000';

/** The caller, as events and errors name it. */
export interface CallingAccount {
  readonly region: string;
  readonly sourceIp: string;
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** The `mail` object of an event. https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html */
export interface Mail {
  readonly timestamp: string;
  readonly source: string;
  readonly sourceArn?: string;
  readonly sendingAccountId: string;
  readonly messageId: string;
  readonly destination: readonly string[];
  readonly headersTruncated: boolean;
  readonly headers?: readonly NamedValue[];
  readonly commonHeaders?: Readonly<Record<string, string | string[]>>;
  readonly tags: Readonly<Record<string, string[]>>;
}

export interface MailFacts {
  readonly messageId: string;
  readonly acceptedAt: number;
  readonly source: string;
  readonly identity: string;
  readonly destination: readonly string[];
  /** As passed to SES; empty when rendering failed. */
  readonly headers: readonly Header[];
  readonly tags: Readonly<Record<string, string>>;
  readonly configurationSet: string | null;
  readonly operation: string;
  readonly caller: CallingAccount;
}

/** SES cuts the list of headers at 10 KB. */
const maximumHeaderCharacters = 10 * 1024;

export function buildMail(facts: MailFacts): Mail {
  const { headers, truncated } = truncate(facts.headers);
  return {
    timestamp: new Date(facts.acceptedAt).toISOString(),
    source: facts.source,
    sourceArn: `arn:aws:ses:${facts.caller.region}:${accountId}:identity/${facts.identity}`,
    sendingAccountId: accountId,
    messageId: facts.messageId,
    destination: facts.destination,
    headersTruncated: truncated,
    headers,
    commonHeaders: commonHeaders(facts),
    tags: mailTags(facts),
  };
}

function truncate(all: readonly Header[]): { headers: NamedValue[]; truncated: boolean } {
  let characters = 0;
  const headers: NamedValue[] = [];
  for (const { name, value } of all) {
    characters += name.length + value.length;
    if (characters > maximumHeaderCharacters) return { headers, truncated: true };
    if (name.toLowerCase() !== 'bcc') headers.push({ name, value });
  }
  return { headers, truncated: false };
}

/** The Message-ID as passed, or SES's id without one. */
function commonHeaders({ headers, messageId }: MailFacts): Record<string, string | string[]> {
  const common: Record<string, string | string[]> = {};
  const put = (key: string, value: string | string[] | null) => {
    if (value !== null && value.length > 0) common[key] = value;
  };
  put('returnPath', headerValue(headers, 'Return-Path'));
  put('from', mailboxes(headers, 'From'));
  put('date', headerValue(headers, 'Date'));
  put('to', mailboxes(headers, 'To'));
  put('cc', mailboxes(headers, 'Cc'));
  put('sender', mailboxes(headers, 'Sender'));
  put('replyTo', mailboxes(headers, 'Reply-To'));
  put('messageId', headerValue(headers, 'Message-ID') ?? messageId);
  put('subject', decodeEncodedWords(headerValue(headers, 'Subject') ?? ''));
  return common;
}

function mailboxes(headers: readonly Header[], name: string): string[] {
  return headerValues(headers, name).flatMap(parseMailboxes).map(displayed);
}

const displayed = ({ name, address }: ParsedMailbox) => (name ? `${decodeEncodedWords(name)} <${address}>` : address);

function mailTags({ tags, configurationSet, operation, source, caller }: MailFacts): Record<string, string[]> {
  const from = parseMailboxes(source)[0]?.address ?? source;
  return {
    'ses:operation': [operation],
    ...(configurationSet === null ? {} : { 'ses:configuration-set': [configurationSet] }),
    'ses:source-ip': [caller.sourceIp],
    'ses:from-domain': [domainOf(from)],
    'ses:caller-identity': ['local'],
    ...Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, [value]])),
  };
}
