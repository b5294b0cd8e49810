import type { Resend } from 'resend';
import type { ErrorCode } from '../../contract/errors.ts';

/** The names that the client knows for errors. */
type ErrorName = NonNullable<Awaited<ReturnType<Resend['emails']['get']>>['error']>['name'];

const names: Readonly<Record<ErrorCode, ErrorName>> = {
  missing_api_key: 'missing_api_key',
  invalid_api_key: 'invalid_api_key',
  revoked_api_key: 'invalid_api_key',
  insufficient_scope: 'restricted_api_key',
  reputation_blocked: 'validation_error',
  quota_exceeded: 'monthly_quota_exceeded',
  not_found: 'not_found',
  conflict: 'validation_error',
  idempotency_key_reused: 'invalid_idempotent_request',
  validation_error: 'validation_error',
  unverified_from_domain: 'validation_error',
  suppressed_recipient: 'validation_error',
  rate_limit_exceeded: 'rate_limit_exceeded',
  send_failed: 'application_error',
  internal_error: 'internal_server_error',
};

/** More are counted only: Resend's shape of an error has one text. */
const maxIssues = 20;

interface ReportedIssue {
  readonly path: string;
  readonly message: string;
}

/** An error of the REST API, whose body this is, in the client's shape. `names` are those of the client by ours. */
export function resendError({
  status,
  body,
  fieldNames = {},
}: {
  readonly status: number;
  readonly body: string;
  readonly fieldNames?: Readonly<Record<string, string>>;
}): string {
  const { error } = JSON.parse(body) as {
    error: { code: ErrorCode; message: string; details?: { issues?: readonly ReportedIssue[] } };
  };
  const issues = error.code === 'validation_error' ? (error.details?.issues ?? []) : [];
  const message = issues.length > 0 ? sentenceOf(issues, fieldNames) : error.message;
  const name = status === 405 ? 'method_not_allowed' : names[error.code];
  return JSON.stringify({ statusCode: status, name, message } satisfies {
    statusCode: number;
    name: ErrorName;
    message: string;
  });
}

/** Every issue, since the shape has no place for details. */
function sentenceOf(issues: readonly ReportedIssue[], fieldNames: Readonly<Record<string, string>>): string {
  const shown = issues.slice(0, maxIssues).map(({ path, message }) => {
    const field = path.replace(
      /^(\[\d+\]\.)?(\w+)/,
      (_, index = '', name: string) => index + (fieldNames[name] ?? name),
    );
    return field === '' ? message : `${field}: ${message}`;
  });
  const more = issues.length - shown.length;
  return [...shown, ...(more > 0 ? [`+ ${more}`] : [])].join('; ');
}
