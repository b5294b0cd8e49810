import type { Minute } from '../../domain/sending/minute.ts';
import { config } from '../../platform/config.ts';
import { QueryCommand, UpdateCommand } from '../dynamodb/commands.ts';
import { conditionHolds } from '../table/conditionHolds.ts';
import { emailKey, emailPartition, emailsPartition } from '../table/keys.ts';
import { readTogether } from '../table/readTogether.ts';
import { documents, type Item, tableName } from '../table/table.ts';
import { contended } from '../table/transaction.ts';
import { attributesOf, type Email, emailOf } from './email.ts';
import { outcomeOf, type RecipientOutcome } from './outcomes.ts';

/**
 * An email of which the provider took something. `messageIds[i]` is set once it took envelope `i`, and `paidBy[i]` says
 * on the account of which minute; the release before did not.
 */
export interface AcceptedEmail {
  readonly email: Email;
  readonly messageIds: readonly (string | undefined)[];
  readonly paidBy: readonly (Minute | undefined)[];
}

export interface EmailWithOutcomes<Outcome = RecipientOutcome> extends AcceptedEmail {
  readonly outcomes: readonly Outcome[];
}

/** The email and its recipients' outcomes in one query, strongly consistent. Null until an envelope was accepted. */
export const getEmail = (workspaceId: string, emailId: string): Promise<EmailWithOutcomes | null> =>
  readEmail(workspaceId, emailId, outcomeOf);

/** As `getEmail`, for those who want more of an outcome. */
export async function readEmail<Outcome>(
  workspaceId: string,
  emailId: string,
  read: (item: Item) => Outcome,
): Promise<EmailWithOutcomes<Outcome> | null> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': emailPartition(workspaceId, emailId) },
      ConsistentRead: true,
    }),
  );
  const own = Items.find((item) => item.sk === 'EMAIL');
  return own ? { ...acceptedOf(own), outcomes: Items.filter((item) => item !== own).map(read) } : null;
}

/** The email alone, strongly consistent; what is asked for at the same moment is read by one call. */
export async function findEmail(workspaceId: string, emailId: string): Promise<AcceptedEmail | null> {
  const [item] = await readTogether([emailKey(workspaceId, emailId)]);
  return item ? acceptedOf(item) : null;
}

/** As `findEmail`, several at once: null for those of which nothing was accepted. */
export async function findEmails(workspaceId: string, ids: readonly string[]): Promise<(AcceptedEmail | null)[]> {
  const items = await readTogether(ids.map((id) => emailKey(workspaceId, id)));
  return items.map((item) => item && acceptedOf(item));
}

/**
 * The email as it is known when an envelope is reported as accepted; what is asked for at the same moment is read
 * together. A first read is eventually consistent: mostly it tells of the envelope, and that word stands for good. What
 * it does not tell of is read again, strongly consistent.
 */
export async function findReported(
  workspaceId: string,
  emailId: string,
  envelope: number,
): Promise<AcceptedEmail | null> {
  const [item] = await readTogether([emailKey(workspaceId, emailId)], 'eventual');
  return item && messageIdName(envelope) in item ? acceptedOf(item) : findEmail(workspaceId, emailId);
}

export function acceptedOf(item: Item): AcceptedEmail {
  const email = emailOf(item);
  return {
    email,
    messageIds: email.envelopes.map((_, index) => item[messageIdName(index)] as string | undefined),
    paidBy: email.envelopes.map((_, index) => item[paidByName(index)] as Minute | undefined),
  };
}

export const messageIdName = (envelope: number): string => `message_id_${envelope}`;
export const paidByName = (envelope: number): string => `paid_by_${envelope}`;

/** Where an email stands in every list that it is in; the newest last. */
export const positionOf = ({ createdAt, id }: Pick<Email, 'createdAt' | 'id'>): string => `${createdAt}#${id}`;

/**
 * Notes that the provider took an envelope, and which minute's reservation pays for it, in one write: it makes the email
 * or adds to it. The first word stands; false when there was one. The minute must be open (`isOpen`), or what it pays
 * for is given back all the same.
 */
export async function acceptEnvelope(
  email: Email,
  envelope: number,
  messageId: string,
  paidBy: Minute,
): Promise<boolean> {
  const set = {
    ...attributesOf(email),
    ...(config('EMAIL_LIST') !== 'none' && {
      newest_pk: emailsPartition(email.workspaceId),
      newest_sk: positionOf(email),
    }),
    [messageIdName(envelope)]: messageId,
    [paidByName(envelope)]: paidBy,
  };
  const names = Object.keys(set);
  const update = new UpdateCommand({
    TableName: tableName(),
    Key: emailKey(email.workspaceId, email.id),
    UpdateExpression: `SET ${names.map((_, index) => `#n${index} = :v${index}`).join(', ')}`,
    ConditionExpression: 'attribute_not_exists(#id)',
    ExpressionAttributeNames: {
      '#id': messageIdName(envelope),
      ...Object.fromEntries(names.map((name, index) => [`#n${index}`, name])),
    },
    ExpressionAttributeValues: Object.fromEntries(Object.values(set).map((value, index) => [`:v${index}`, value])),
  });
  return conditionHolds(() => contended(() => documents.send(update)));
}
