import { Logger } from '@aws-lambda-powertools/logger';

/** JSON lines on standard output. Never given a key, a secret, a body or a whole event. */
export const logger = new Logger({ serviceName: 'mailroom' });
