import { randomBytes } from 'node:crypto';
import { UpdateCommand, type UpdateCommandInput } from '../dynamodb/commands.ts';
import { ConditionalCheckFailedException } from '../dynamodb/errors.ts';
import { documents, type Item, tableName } from './table.ts';
import { contended } from './transaction.ts';

/** A write was refused after the answer to one before was lost: nobody can tell whether that one was made. */
class WriteInDoubt extends Error {
  override readonly name = 'WriteInDoubt';
}

type Update = Omit<UpdateCommandInput, 'TableName'> & { readonly UpdateExpression: string };

/** `attributes`: those that were written, as they are now; or the whole item that stands in the way. */
interface Updated {
  readonly isMade: boolean;
  readonly attributes: Item;
}

interface Once {
  /** Under this name it leaves its mark in the item. */
  readonly mark: string;
  /** What stands refuses the update whatever became of a try before it. */
  readonly isRefusedBy?: (standing: Item) => boolean;
}

/**
 * Makes an update that adds, once although the client makes it again when its answer is lost: it leaves a mark of its own
 * in the item, and is refused where that stands. Another update of the kind in between takes the mark away: then it adds
 * twice, or, if it is refused, throws `WriteInDoubt`, since what nobody can tell is never told as a refusal.
 */
export async function updateOnce(update: Update, { mark, isRefusedBy }: Once): Promise<Updated> {
  const own = newMark();
  const { UpdateExpression: rest } = update;
  const isNew = `(attribute_not_exists(${mark}) OR ${mark} <> :mark)`;
  const marked = new UpdateCommand({
    ...update,
    TableName: tableName(),
    UpdateExpression: `SET ${mark} = :mark${rest.startsWith('SET ') ? rest.replace('SET ', ', ') : ` ${rest}`}`,
    ConditionExpression: update.ConditionExpression ? `(${update.ConditionExpression}) AND ${isNew}` : isNew,
    ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':mark': own },
    ReturnValues: 'UPDATED_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const { Attributes = {} } = await contended(() => documents.send(marked));
    return { isMade: true, attributes: Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const attributes = error.Item ?? {};
    if (attributes[mark] === own) return { isMade: true, attributes };
    if (error.isAfterLostAnswer && !isRefusedBy?.(attributes))
      throw new WriteInDoubt('A write may have been made.', { cause: error });
    return { isMade: false, attributes };
  }
}

/** Short, since it stays in the item: it is told apart from the one before it and no other. */
export const newMark = (): string => randomBytes(6).toString('base64url');
