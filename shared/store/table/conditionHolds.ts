import { ConditionalCheckFailedException } from '../dynamodb/errors.ts';

/** Makes a write that has a condition: false when that did not hold, and nothing was written. */
export async function conditionHolds(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
