import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { ContentionError, DeadlineExceeded } from '../deadline.ts';
import { UnansweredRequest } from '../httpClient.ts';

/** An AWS service did not carry out a request for now: it answered unexpectedly, or did only a part. */
export class ServiceUnavailable extends Error {
  override readonly name: string = 'ServiceUnavailable';
}

type SdkError = Parameters<typeof isTransientError>[0];

/** Whether AWS expects the same request to be repeated, by the SDK's rules. */
export function isRepeatable(error: Error): boolean {
  const failure = error as SdkError;
  return isServerError(failure) || isThrottlingError(failure) || isTransientError(failure);
}

/**
 * Errors of credentials or permissions, which are renewed or which an operator corrects: the same call then succeeds.
 */
const refusedForNow: ReadonlySet<string> = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'CredentialsProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidSignatureException',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
]);

/** Whether a call failed because AWS does not answer, or not as documented: the same call may succeed later. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof UnansweredRequest || error instanceof DeadlineExceeded) return true;
  if (error instanceof ServiceUnavailable || error instanceof ContentionError) return true;
  const isOfSdk = '$metadata' in error || error.name === 'CredentialsProviderError';
  return isOfSdk && (isRepeatable(error) || refusedForNow.has(error.name));
}
