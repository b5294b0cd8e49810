import { accessLog } from '../../../infra/constructs/accessLog.ts';

interface LoggedCall {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Default: a program's. */
  readonly userAgent?: string;
}

/** API Gateway's values for a call of a server, with their usual lengths. */
const values = ({
  method,
  path,
  status,
  userAgent = 'python-requests/2.32.5',
}: LoggedCall): Readonly<Record<string, string>> => ({
  '$context.requestId': '8f6c2f3e-5d0a-4a53-9d27-6b1f0c8f4e11',
  '$context.requestTime': '22/Nov/2026:11:16:22 +0000',
  '$context.httpMethod': method,
  '$context.resourcePath': path,
  '$context.status': String(status),
  '$context.identity.sourceIp': '203.0.113.190',
  '$context.identity.userAgent': userAgent,
  '$context.responseLength': '58',
  '$context.responseLatency': '104',
  '$context.integration.status': String(status),
  '$context.integration.error': '-',
  '$context.error.responseType': '-',
});

/** Bytes of API Gateway's access log line, which is not written locally. Throws for a field without a value here. */
export function accessLogBytes(call: LoggedCall): number {
  const known = values(call);
  const line = Object.entries(accessLog).map(([name, variable]) => {
    const value = known[variable];
    if (value === undefined) throw new Error(`The bench has no value for ${variable}.`);
    return [name, value];
  });
  return Buffer.byteLength(JSON.stringify(Object.fromEntries(line)));
}
