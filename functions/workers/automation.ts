import type { SQSHandler } from 'aws-lambda';
import { parseAutomationMessage } from '../../shared/queue/automation.ts';
import { handleBatch } from '../../shared/queue/batch.ts';
import { handleAutomationMessage } from '../../shared/services/runs/handleAutomationMessage.ts';
import { RunCounters } from '../../shared/services/runs/runCounters.ts';

export const handler: SQSHandler = (event, context) => {
  const counters = new RunCounters();
  return handleBatch(
    event,
    context,
    ({ body }) => handleAutomationMessage(parseAutomationMessage(body), counters),
    () => counters.write(),
  );
};
