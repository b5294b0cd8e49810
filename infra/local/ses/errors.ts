/** HTTP status of each error of the supported operations of SES v2, and of AWS's common errors. */
const statusByName = {
  AccountSuspendedException: 400,
  AlreadyExistsException: 400,
  BadRequestException: 400,
  ConcurrentModificationException: 500,
  ConflictException: 409,
  InternalServiceErrorException: 500,
  LimitExceededException: 400,
  MailFromDomainNotVerifiedException: 400,
  MessageRejected: 400,
  NotFoundException: 404,
  SendingPausedException: 400,
  TooManyRequestsException: 429,
  AccessDeniedException: 403,
  ExpiredTokenException: 403,
  InternalFailure: 500,
  InvalidSignatureException: 403,
  RequestEntityTooLargeException: 413,
  SerializationException: 400,
  ServiceUnavailable: 503,
  ThrottlingException: 400,
  UnknownOperationException: 404,
  UnrecognizedClientException: 403,
} as const satisfies Record<string, number>;

export type SesErrorName = keyof typeof statusByName;
export const sesErrorNames = Object.keys(statusByName) as [SesErrorName, ...SesErrorName[]];

/** An error of SES: its name is in the header `x-amzn-errortype`, its message in the JSON body. */
export class SesError extends Error {
  override readonly name: SesErrorName;
  readonly status: number;

  constructor(name: SesErrorName, message: string) {
    super(message);
    this.name = name;
    this.status = statusByName[name];
  }
}

export const badRequest = (message: string) => new SesError('BadRequestException', message);
export const notFound = (message: string) => new SesError('NotFoundException', message);
