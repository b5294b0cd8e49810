/** SQS takes and gives at most ten a call. */
export const mostMessages = 10;

/** A message to a standard queue, by the names of SQS. */
export interface QueueMessage {
  readonly MessageBody: string;
  /** On a standard queue it makes the queue fair: a group with a backlog does not hold up the others. */
  readonly MessageGroupId: string;
  readonly DelaySeconds?: number;
}
