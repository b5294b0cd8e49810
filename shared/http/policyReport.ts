import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod';
import { consolePaths, pages, policyReportPath } from '../contract/endpoints.ts';
import { now } from '../platform/clock.ts';
import { logger, withLogFields } from '../platform/logger.ts';
import { headerOf } from './authenticate.ts';

/**
 * The headers by which browsers report violations of a page's content security policy. The address is relative, because
 * a page is served under each domain of the deployment and below the stage of API Gateway's own. `report-uri` is for
 * browsers without Reporting-Endpoints.
 */
export function policyReporting({ path = '/' }: Partial<Pick<APIGatewayProxyEvent, 'path'>>): {
  readonly directives: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
} {
  const depth = path.split('/').length - 2;
  const address = `${'../'.repeat(Math.max(depth, 0))}${policyReportPath.slice(1)}`;
  return {
    directives: [`report-uri ${address}`, 'report-to policy'],
    headers: { 'Reporting-Endpoints': `policy="${address}"` },
  };
}

/** One report has some hundred bytes, and several may arrive together. */
const maxReportBytes = 8 * 1024;
/** Strangers can cause these log lines: a process logs no more per minute and counts the rest. */
const maxLinesPerMinute = 20;
const maxReportsOfCall = 5;

const text = z.string().catch('');
const position = z.number().int().nonnegative().nullable().catch(null);

/** CSP Level 3, section 5.3 ("reporting"): the body of a report of the Reporting API. */
const modern = z.looseObject({
  type: z.literal('csp-violation'),
  body: z.looseObject({
    documentURL: text,
    effectiveDirective: text,
    blockedURL: text,
    lineNumber: position.default(null),
    columnNumber: position.default(null),
  }),
});

/** CSP Level 3, section 5.3: the body of a request to `report-uri`. */
const legacy = z.looseObject({
  'csp-report': z.looseObject({
    'document-uri': text,
    'effective-directive': text.default(''),
    'violated-directive': text.default(''),
    'blocked-uri': text,
    'line-number': position.default(null),
    'column-number': position.default(null),
  }),
});

interface Violation {
  readonly documentUrl: string;
  readonly directive: string;
  readonly blockedUrl: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** Logs reports of browsers, limited in size and number, and without the tokens in addresses of pages. */
export function policyReport(event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> {
  const { requestId } = event.requestContext;
  return withLogFields({ request_id: requestId, function_request_id: context.awsRequestId }, async () => {
    const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
    if (body.length > maxReportBytes) return answer(413);
    const violations = violationsOf(body.toString('utf8'));
    if (!violations) return answer(400);
    const host = headerOf(event, 'host');
    for (const violation of violations.slice(0, maxReportsOfCall)) note(violation, host, now());
    return answer(204);
  });
}

const answer = (statusCode: number): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Cache-Control': 'no-store' },
  body: '',
});

/** Null for a body that is not a report. */
function violationsOf(body: string): Violation[] | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return null;
  }
  const single = legacy.safeParse(parsed);
  if (single.success) {
    const { 'csp-report': report } = single.data;
    return [
      {
        documentUrl: report['document-uri'],
        directive: report['effective-directive'] || (report['violated-directive'].split(' ')[0] ?? ''),
        blockedUrl: report['blocked-uri'],
        line: report['line-number'],
        column: report['column-number'],
      },
    ];
  }
  if (!Array.isArray(parsed)) return null;
  return parsed.flatMap((one) => {
    const report = modern.safeParse(one);
    if (!report.success) return [];
    const { documentURL, effectiveDirective, blockedURL, lineNumber, columnNumber } = report.data.body;
    const place = { line: lineNumber, column: columnNumber };
    return [{ documentUrl: documentURL, directive: effectiveDirective, blockedUrl: blockedURL, ...place }];
  });
}

const noted = { minute: 0, lines: 0, leftOut: 0 };

const firstPart = (path: string): string => path.split('/')[1] ?? '';
const knownParts: ReadonlySet<string> = new Set(
  [consolePaths.root, ...pages.map(({ path }) => path)].map(firstPart).filter(Boolean),
);

function note({ documentUrl, directive, blockedUrl, line, column }: Violation, host: string, at: Date): void {
  // The address of a page contains a token: the log gets the first part of its path, and only the origin of other
  // addresses.
  const page = URL.parse(documentUrl);
  if (!page || page.host !== host || !/^[a-z-]{1,40}$/.test(directive)) return;
  const minute = Math.floor(at.getTime() / 60_000);
  if (minute !== noted.minute) Object.assign(noted, { minute, lines: 0 });
  if (noted.lines >= maxLinesPerMinute) {
    noted.leftOut += 1;
    return;
  }
  noted.lines += 1;
  const blocked = /^[a-z-]{1,30}$/.test(blockedUrl) ? blockedUrl : (URL.parse(blockedUrl)?.origin ?? 'unknown');
  const first = page.pathname.split('/').find((part) => knownParts.has(part)) ?? '';
  logger.warn('A browser reported that the policy of a page stopped something.', {
    page: `/${first}`,
    directive,
    blocked: blocked.slice(0, 200),
    line,
    column,
    ...(noted.leftOut > 0 && { left_out: noted.leftOut }),
  });
  noted.leftOut = 0;
}
