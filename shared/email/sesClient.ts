import { SESv2Client } from '@aws-sdk/client-sesv2';
import { connection } from '../platform/aws/connection.ts';
import { sesPolicy } from './ses.ts';

/**
 * For everything but single messages. One attempt only: the SDK's own retries could send twice, SES has no idempotency
 * token.
 */
export const provider = new SESv2Client({ maxAttempts: 1, ...connection(sesPolicy) });
