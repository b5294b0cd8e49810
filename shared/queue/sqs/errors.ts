import { type Answer, detailsOf, shapeOf } from '../../platform/aws/answer.ts';
import { AwsError } from '../../platform/aws/awsError.ts';

/** The error that an answer tells, by the name that it has in the SDK (`QueueDoesNotExist`, `AccessDenied`). */
export function errorOf(answer: Answer): AwsError {
  const details = detailsOf(answer.text);
  const name = olderCodeOf(answer) ?? shapeOf(details, answer) ?? 'SqsError';
  return new AwsError('SQS', name, details, answer);
}

/**
 * `code;Sender`, by which SQS's older protocol knows the error. Codes with a namespace (`AWS.SimpleQueueService.`) are of
 * errors in its model, which are known by their shape.
 */
function olderCodeOf({ headers }: Answer): string | undefined {
  const [code] = headers['x-amzn-query-error']?.split(';') ?? [];
  return code && !code.includes('.') ? code : undefined;
}
