import type { Feedback } from '../../email/feedbackEvent.ts';
import type { ProbeOrigin } from '../../email/feedbackTags.ts';
import { noteProbeHeard } from '../campaigns/closing/heard.ts';
import type { Batch } from './batch.ts';

/** Nobody gets a probe, so nothing is counted: its word on acceptance tells how far such words have come in. */
export async function recordProbeFeedback(
  { message, happenings }: Feedback<ProbeOrigin>,
  { now }: Batch,
): Promise<void> {
  if (happenings.some(({ type }) => type === 'accepted')) await noteProbeHeard(message.sentAt, now);
}
