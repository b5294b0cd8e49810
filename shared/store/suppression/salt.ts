import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { GetCommand, UpdateCommand } from '../dynamodb/commands.ts';
import { saltKey } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

const record = z.object({ salt: z.string(), mirrored_through: z.string().optional() });

/** The salt of this table's address hashes, and how far the platform's list was mirrored to them (a position of it). */
export interface Salt {
  readonly salt: string;
  /** Null until all of the list that the release before left was mirrored. */
  readonly mirroredThrough: string | null;
}

/** By table: tests have several. What is mirrored stays so, and the salt never changes. */
const known = new Map<string, Promise<Salt | null>>();

/** One read a container; while nothing is mirrored, one each time. Null when the release before has just left. */
export function readSalt(): Promise<Salt | null> {
  const table = tableName();
  const reading = known.get(table) ?? loadSalt();
  known.set(table, reading);
  const forget = () => known.delete(table);
  reading.then((salt) => salt?.mirroredThrough ?? forget(), forget);
  return reading;
}

/** As it stands now. */
export async function loadSalt(): Promise<Salt | null> {
  const { Item } = await documents.send(new GetCommand({ TableName: tableName(), Key: saltKey, ConsistentRead: true }));
  return Item ? saltOf(Item) : null;
}

/** The salt, made if there is none; whoever is first makes it for all. */
export async function ensureSalt(): Promise<Salt> {
  const { Attributes } = await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: saltKey,
      UpdateExpression: 'SET salt = if_not_exists(salt, :salt)',
      ExpressionAttributeValues: { ':salt': randomBytes(32).toString('base64url') },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return saltOf(Attributes ?? {});
}

/** Notes how far the list is mirrored. */
export async function noteMirrored(through: string): Promise<void> {
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: saltKey,
      UpdateExpression: 'SET mirrored_through = :through',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':through': through },
    }),
  );
}

function saltOf(item: Record<string, unknown>): Salt {
  const { salt, mirrored_through } = record.parse(item);
  return { salt, mirroredThrough: mirrored_through ?? null };
}
