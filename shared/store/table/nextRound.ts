import { pause } from '../../platform/deadline.ts';

/** DynamoDB leaves some of a batch undone when it is throttled: waits before it is asked for again, ever longer. */
export async function nextRound(round: number): Promise<void> {
  if (round > 8) throw new Error('DynamoDB left some of a batch undone after 9 rounds.');
  await pause(25 * 2 ** round * (0.5 + Math.random()));
}
