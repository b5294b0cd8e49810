import type { Error as ErrorBody } from './gen/types.gen.js';

/** An answer that is not a success. `message` is in the language of the client. */
class Failure<Body extends ErrorBody> extends Error {
  static override readonly name = 'MailroomError';
  override readonly name = 'MailroomError';
  readonly code: Body['name'];
  /** What is needed to correct the call. */
  readonly details: Body['error']['details'];

  /** `retryAfter`: seconds after which the same call may succeed. */
  constructor(
    body: Body,
    readonly status: number,
    readonly retryAfter: number | null,
  ) {
    super(body.message);
    this.code = body.name;
    this.details = body.error.details;
  }
}

/** A union, told apart by `code`: `if (error.code === 'quota_exceeded') error.details.resets_at`. */
export type MailroomError = ErrorBody extends infer Body ? (Body extends ErrorBody ? Failure<Body> : never) : never;
export const MailroomError = Failure as unknown as abstract new (...none: never) => MailroomError;

/** The error of an answer. What something else than the service answered, such as a proxy, is an `internal_error`. */
export function errorOf(given: unknown, { status, headers }: Response): MailroomError {
  const request_id = headers.get('X-Request-Id') ?? '';
  const error = { code: 'internal_error', message: `The answer was ${status}.`, details: { request_id } } as const;
  const isOurs = typeof given === 'object' && given !== null && 'error' in given && 'name' in given;
  const body = isOurs ? (given as ErrorBody) : { name: error.code, message: error.message, statusCode: status, error };
  return new Failure(body, status, secondsToWait(headers)) as MailroomError;
}

export const secondsToWait = (headers: Headers): number | null =>
  Number.parseInt(headers.get('Retry-After') ?? '', 10) || null;
