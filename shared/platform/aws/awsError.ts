import { type Answer, type ErrorDetails, messageOf } from './answer.ts';

/** A service refused an operation, or could not do it. `name` is its own word for what stood in the way. */
export class AwsError extends Error {
  override readonly name: string;
  /** As the SDK's errors have it: the log reads it, and the SDK's rules of what is tried again. */
  readonly $metadata: {
    readonly httpStatusCode: number;
    readonly requestId: string | undefined;
    /** To be tried again: the SDK's mark for a clock that was set right, and ours for credentials that were found anew too. */
    readonly clockSkewCorrected: boolean;
  };
  readonly $response: { readonly statusCode: number; readonly headers: Answer['headers'] };

  /** `service`: what it is called in a sentence, where its answer has none. */
  constructor(service: string, name: string, details: ErrorDetails, { status, headers, isSignerPutRight }: Answer) {
    super(messageOf(details) ?? `${service} answered with ${status}.`);
    this.name = name;
    const requestId = headers['x-amzn-requestid'];
    this.$response = { statusCode: status, headers };
    this.$metadata = { httpStatusCode: status, requestId, clockSkewCorrected: isSignerPutRight };
  }
}
