import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import { currentLogFields } from './logContext.ts';
import { redacted } from './redaction.ts';
import { traceInSources } from './stackTrace.ts';

type Attributes = Parameters<LogFormatter['formatAttributes']>[0];
type Fields = Parameters<LogFormatter['formatAttributes']>[1];

/** Errors of the SDK carry more than their class says: what the caller got wrong, and the items that were in the way. */
interface ForeignError extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

class LineFormatter extends LogFormatter {
  formatAttributes(attributes: Attributes, fields: Fields): LogItem {
    const line = {
      level: attributes.logLevel,
      message: attributes.message,
      timestamp: this.formatTimestamp(attributes.timestamp),
      service: attributes.serviceName,
      xray_trace_id: attributes.xRayTraceId,
    };
    return new LogItem({ attributes: { ...line, ...currentLogFields(), ...fields } });
  }

  /** What finds the fault and no more: other properties of an error may hold what a person wrote. */
  override formatError(error: ForeignError): Fields {
    const { name, message, code, $metadata, cause } = error;
    return {
      name,
      message,
      code,
      http_status: $metadata?.httpStatusCode,
      aws_request_id: $metadata?.requestId,
      reasons: error.CancellationReasons?.map(({ Code }) => Code),
      stack: error.stack === undefined ? undefined : traceInSources(error.stack),
      cause: cause instanceof Error ? cause : undefined,
      errors: error instanceof AggregateError ? error.errors : undefined,
    };
  }
}

/**
 * JSON lines on standard output, whose `service` is the deployment (`POWERTOOLS_SERVICE_NAME`). Never given a key, a
 * secret, a body or a whole event; whatever slips in is redacted.
 */
export const logger = new Logger({
  logFormatter: new LineFormatter(),
  jsonReplacerFn: (_key, value) => (typeof value === 'string' ? redacted(value) : value),
});
