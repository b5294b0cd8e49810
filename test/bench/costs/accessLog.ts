import { accessLog } from '../../../infra/constructs/accessLog.ts';

interface LoggedCall {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** A program's, unless it is given. */
  readonly userAgent?: string;
}

/** As a server's call comes: values of the usual lengths for what API Gateway fills in. */
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

/** Bytes of the line that API Gateway logs of a call, which nothing writes on a laptop. Throws for a field unknown here. */
export function accessLogBytes(call: LoggedCall): number {
  const known = values(call);
  const line = Object.entries(accessLog).map(([name, variable]) => {
    const value = known[variable];
    if (value === undefined) throw new Error(`The bench knows no value of ${variable}.`);
    return [name, value];
  });
  return Buffer.byteLength(JSON.stringify(Object.fromEntries(line)));
}
