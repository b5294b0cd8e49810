import * as z from 'zod';
import { badRequest } from '../errors.ts';
import { requireAddress } from '../mime/addresses.ts';

/** The request as the SDK serialises it; a wrong type is a SerializationException, as at AWS. */
const nameAndValue = z.looseObject({ Name: z.string(), Value: z.string() });
export const nameValueListSchema = z.array(nameAndValue).nullish();
export type NameValue = z.infer<typeof nameAndValue>;
export const destinationSchema = z
  .looseObject({
    ToAddresses: z.array(z.string()).nullish(),
    CcAddresses: z.array(z.string()).nullish(),
    BccAddresses: z.array(z.string()).nullish(),
  })
  .nullish();
export type Destination = z.infer<typeof destinationSchema>;

const maximumRecipients = 50;
const maximumTagLength = 256;
const maximumHeaders = 15;

/**
 * Message tags by name. https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_MessageTag.html
 * Throws BadRequestException for a character, a length or a repeated name that SES refuses.
 */
export function checkTags(tags: readonly NameValue[]): Record<string, string> {
  const known = new Map<string, string>();
  for (const { Name, Value } of tags) {
    checkTagText('name', Name);
    checkTagText('value', Value);
    if (known.has(Name)) throw badRequest(`Duplicate tag name <${Name}>.`);
    known.set(Name, Value);
  }
  return Object.fromEntries(known);
}

function checkTagText(part: 'name' | 'value', text: string): void {
  if (text.length === 0) throw badRequest(`Tag ${part} must not be empty.`);
  if (text.length > maximumTagLength) throw badRequest(`Tag ${part} is longer than ${maximumTagLength} characters.`);
  if (!/^[A-Za-z0-9_-]+$/.test(text)) {
    throw badRequest(`Invalid tag ${part} <${text}>, only alphanumeric ASCII characters, '_', and '-' are allowed.`);
  }
}

/** Fields that SES writes itself from the other parameters of the call, or overwrites. */
const ownHeaders = new Set(
  'bcc cc content-disposition content-transfer-encoding content-type date from message-id mime-version reply-to return-path sender subject to'.split(
    ' ',
  ),
);

/** `Headers` of a Simple or Template message. https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_MessageHeader.html */
export function checkHeaders(headers: readonly NameValue[]): void {
  if (headers.length > maximumHeaders) throw badRequest(`Number of headers exceeds ${maximumHeaders}.`);
  const names = headers.map((header) => header.Name.toLowerCase());
  for (const { Name, Value } of headers) {
    if (!/^[\x21-\x39\x3b-\x7e]{1,126}$/.test(Name)) throw badRequest(`Invalid header name: ${JSON.stringify(Name)}.`);
    if (!/^[\x20-\x7e]{0,995}$/.test(Value)) throw badRequest(`Invalid value of header ${Name}.`);
    if (Name.length + Value.length > 996) throw badRequest(`Header ${Name} is longer than 996 characters.`);
    const name = Name.toLowerCase();
    if (ownHeaders.has(name) || name.startsWith('x-ses-')) throw badRequest(`Header ${Name} is not allowed.`);
    if (names.filter((other) => other === name).length > 1) throw badRequest(`Duplicate header '${Name}'.`);
  }
}

/** All recipients in order, as given. Throws for none, for more than 50, and for an address that SES cannot send to. */
export function checkRecipients(destination: Destination): string[] {
  const { ToAddresses, CcAddresses, BccAddresses } = destination ?? {};
  const all = [...(ToAddresses ?? []), ...(CcAddresses ?? []), ...(BccAddresses ?? [])];
  if (all.length === 0) throw badRequest('Destination must have at least one recipient.');
  if (all.length > maximumRecipients) throw badRequest(`Recipient count exceeds ${maximumRecipients}.`);
  all.forEach(requireAddress);
  return all;
}
