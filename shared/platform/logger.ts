import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import { nowMilliseconds } from './clock.ts';

/** Fields for finding log lines: ids of the request, the message, the workspace. Never an address. */
export type LogFields = Readonly<Record<string, string | number | undefined>>;

const storage = new AsyncLocalStorage<Record<string, string | number | undefined>>();

/** Adds these fields to every log line of `work`, and to no line of concurrent work. */
export function withLogFields<Result>(fields: LogFields, work: () => Result): Result {
  return storage.run({ ...storage.getStore(), ...fields }, work);
}

/** Adds fields to the log lines of the current call; does nothing outside of a call. */
export function addLogFields(fields: LogFields): void {
  Object.assign(storage.getStore() ?? {}, fields);
}

export const currentLogFields = (): LogFields => storage.getStore() ?? {};

type Attributes = Parameters<LogFormatter['formatAttributes']>[0];
type Fields = Parameters<LogFormatter['formatAttributes']>[1];

/** SDK errors have more properties than their classes declare: what the caller got wrong, and the conflicting items. */
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

  /** Keeps only what helps to find the fault: other properties of an error may contain personal data. */
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
 * JSON lines on standard output; `service` is the deployment (`POWERTOOLS_SERVICE_NAME`). Never pass a key, a secret, a
 * body or a whole event; anything that slips in is redacted.
 */
export const logger = new Logger({
  logFormatter: new LineFormatter(),
  jsonReplacerFn: (_key, value) => (typeof value === 'string' ? redacted(value) : value),
});

/** Events that an operator must react to: each is a metric of this name with an alarm (infra/constructs/alarms.ts). */
export type Notice =
  | 'WorkspaceSuspended'
  | 'ConfirmationsPaused'
  | 'ProviderRefused'
  | 'SendingPaused'
  | 'SendUnknown'
  | 'CampaignStuck'
  | 'CampaignDoubled'
  | 'DeadLetters'
  | 'EventsUndelivered'
  | 'QueueStuck'
  | 'FeedbackSilent'
  | 'SendingDayNearlyUsed'
  | 'CopyingBehind'
  | 'AutomationFailing';

/** The CloudWatch namespace of the metrics. The logger's `service` tells deployments apart. */
export const noticeNamespace = 'Mailroom';

/**
 * A log line that is also counted as a metric (CloudWatch User Guide, "embedded metric format"). It costs its bytes,
 * and the metric only in hours with a value. Logged as an error, so that no log level hides it.
 */
export function notify(notice: Notice, message: string, fields: Readonly<Record<string, unknown>>): void {
  const metrics = [
    { Namespace: noticeNamespace, Dimensions: [['service']], Metrics: [{ Name: notice, Unit: 'Count' }] },
  ];
  logger.error(message, { ...fields, [notice]: 1, _aws: { Timestamp: nowMilliseconds(), CloudWatchMetrics: metrics } });
}

/** The bundle that contains this module. Sources that are not bundled have no map and need none. */
const bundle = import.meta.url;
const frame = /\bat (?:.* \()?(file:\S+?):(\d+):(\d+)\)?/g;
let sourceMap: SourceMap | null | undefined;

/** A stack trace with the lines of our sources. The source map is read at the first error, then kept. */
function traceInSources(stack: string): string {
  if (sourceMap === undefined) sourceMap = readSourceMap();
  if (!sourceMap) return stack;
  return stack.replace(frame, (line, file, row, column) =>
    file === bundle ? (sourceLine(Number(row), Number(column)) ?? line) : line,
  );
}

function readSourceMap(): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${bundle}.map`), 'utf8')));
  } catch {
    return null;
  }
}

/** Stack traces count columns from 1, source maps from 0 (ECMA-426). */
function sourceLine(row: number, column: number): string | null {
  const entry = sourceMap?.findEntry(row - 1, column - 1);
  if (!entry || !('originalSource' in entry)) return null;
  // Code that the bundler itself adds has no source, although the type says otherwise.
  const { originalSource, originalLine, originalColumn }: Partial<typeof entry> = entry;
  if (originalSource === undefined || originalLine === undefined || originalColumn === undefined) return null;
  return `at ${originalSource}:${originalLine + 1}:${originalColumn + 1}`;
}

/** An email address, also inside a URL; its domain needs no dot. Paths of packages (`/@aws-sdk/`) are excluded. */
const address = /(?:"[^"\n]{0,128}"|[^\s"'`<>()[\]{},:;/\\|=]{1,128})(?:@|%40)[\p{L}\p{N}][\p{L}\p{N}.-]*/gu;
/** API keys and webhook secrets by their prefixes. */
const secret = /\b(?:mr_live_|whsec_)[\w+/=-]+/g;
/**
 * The token of temporary credentials: AWS quotes the headers of a request whose signature it refuses, and URLs may
 * contain it.
 */
const sessionToken = /(x-amz-security-token["']?\s*[:=]\s*["']?)[\w+/=%.-]+/gi;
/** An AWS signature in headers and URLs: whoever has it can repeat the request for some minutes, or open the URL. */
const signature = /(Signature["']?\s*[:=]\s*["']?)[\da-f]{40,}/gi;

/** Removes credentials and signatures that would allow requests to AWS. */
export function withoutCredentials(text: string): string {
  const withoutTokens = text.includes('ecurity-') ? text.replace(sessionToken, '$1[secret]') : text;
  return withoutTokens.includes('ignature') ? withoutTokens.replace(signature, '$1[secret]') : withoutTokens;
}

/** A text that may be logged: error messages of libraries can contain addresses. */
export function redacted(text: string): string {
  const hasAddress = text.includes('@') || text.includes('%40');
  const closed = withoutCredentials(text);
  return (hasAddress ? closed.replace(address, '[address]') : closed).replace(secret, '[secret]');
}
