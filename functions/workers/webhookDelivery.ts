import type { SQSHandler } from 'aws-lambda';
import { handleBatch } from '../../shared/queue/batch.ts';

export const handler: SQSHandler = (event, context) => handleBatch(event, context, async () => {});
