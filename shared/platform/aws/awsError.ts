import type { Answer } from './signedCall.ts';

/** A service refused an operation, or could not do it. `name` is its own word for what stood in the way. */
export class AwsError extends Error {
  override readonly name: string;
  /** As the SDK's errors have it: the log reads it, and the SDK's rules of what is tried again. */
  readonly $metadata: {
    readonly httpStatusCode: number;
    readonly requestId: string | undefined;
    readonly clockSkewCorrected: boolean;
  };
  readonly $response: { readonly statusCode: number; readonly headers: Answer['headers'] };

  constructor(name: string, message: string, { status, headers, isClockSetRight }: Answer) {
    super(message);
    this.name = name;
    const requestId = headers['x-amzn-requestid'];
    this.$response = { statusCode: status, headers };
    this.$metadata = { httpStatusCode: status, requestId, clockSkewCorrected: isClockSetRight };
  }
}

/** What an answer says, and who gave it is not certain: whatever stands between may answer as well, with whatever it likes. */
export interface ErrorDetails {
  readonly __type?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly Message?: unknown;
}

export function detailsOf<Details extends ErrorDetails>(text: string): Partial<Details> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Where AWS JSON 1.0 looks for the name of an error, in its order ("Operation error serialization"). */
export const shapeOf = ({ __type, code }: ErrorDetails, { headers }: Answer): string | undefined =>
  bareName(__type, code, headers['x-amzn-errortype']);

/** The first of these that is one, without the namespace before it and the address behind it. */
export const bareName = (...told: unknown[]): string | undefined =>
  firstText(...told)
    ?.replace(/[:,].*$/, '')
    .replace(/^.*#/, '') || undefined;

export const messageOf = ({ message, Message }: ErrorDetails): string | undefined => firstText(message, Message);

const firstText = (...told: unknown[]): string | undefined => told.find((each) => typeof each === 'string');
