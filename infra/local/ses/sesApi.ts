import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ZodError } from 'zod';
import type { SesContext } from './context.ts';
import { SesError } from './errors.ts';
import type { CallingAccount } from './events/mailObject.ts';
import type { FalseAnswer } from './faults.ts';
import { jsonReply, parseJson, type Reply, readBody } from './http.ts';
import { type Operation, operations } from './operations/operations.ts';

/** An answer, no answer at all, or a closed connection. */
export type ApiOutcome = Reply | 'hang' | 'drop';

interface Match {
  readonly operation: Operation;
  readonly parameters: string[];
}

const prefix = '/v2/email/';

export const isApiPath = (path: string) => path.startsWith(prefix);

/** Answers a call in SES v2's REST-JSON protocol, faults included. */
export async function answerApi(context: SesContext, request: IncomingMessage, path: string): Promise<ApiOutcome> {
  const requestId = randomUUID();
  try {
    const match = findOperation(request.method ?? '', path);
    const body = await readBody(request);
    if (body === null) throw new SesError('RequestEntityTooLargeException', 'Request size exceeds the limit.');
    if (context.faults.state.latency_ms > 0) await sleep(context.faults.state.latency_ms);
    const interference = context.faults.interfere(match.operation.name);
    if (interference === 'hang') return 'hang';
    if (interference instanceof SesError) throw interference;
    const call = { context, caller: callerOf(request), parameters: match.parameters, body: parseJson(body) };
    const result = await match.operation.handle(call);
    if (interference === 'drop_after_accept') return 'drop';
    if (interference !== 'none') return falseReply(interference);
    return jsonReply(200, result, { 'x-amzn-RequestId': requestId });
  } catch (error) {
    if (request.socket.destroyed) return 'hang';
    return errorReply(error, requestId);
  }
}

/** Throws UnknownOperationException. */
function findOperation(method: string, path: string): Match {
  const segments = path.slice(prefix.length).replace(/\/$/, '').split('/');
  for (const operation of operations) {
    const pattern = operation.path.split('/');
    const fits = pattern.length === segments.length && operation.method === method;
    if (fits && pattern.every((part, index) => part === '*' || part === segments[index])) {
      const parameters = segments.filter((_, index) => pattern[index] === '*').map(decodeURIComponent);
      return { operation, parameters };
    }
  }
  throw new SesError('UnknownOperationException', `The local SES does not answer ${method} ${path}.`);
}

function falseReply({ status, error, body }: FalseAnswer): Reply {
  return { status, headers: { 'Content-Type': 'application/json', ...(error && { 'x-amzn-errortype': error }) }, body };
}

function errorReply(error: unknown, requestId: string): Reply {
  const known = asSesError(error);
  const headers = { 'x-amzn-errortype': known.name, 'x-amzn-RequestId': requestId };
  return jsonReply(known.status, { message: known.message }, headers);
}

function asSesError(error: unknown): SesError {
  if (error instanceof SesError) return error;
  if (error instanceof SyntaxError || error instanceof URIError) {
    return new SesError('SerializationException', 'The request is not well-formed.');
  }
  if (error instanceof ZodError) {
    const [issue] = error.issues;
    return new SesError('SerializationException', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  console.error('Local SES:', error);
  return new SesError('InternalServiceErrorException', 'The local SES failed.');
}

/** The region is the one that the call was signed for. */
function callerOf(request: IncomingMessage): CallingAccount {
  const scope = /Credential=[^/,\s]*\/\d{8}\/([a-z0-9-]+)\//.exec(request.headers.authorization ?? '');
  return { region: scope?.[1] ?? 'us-east-1', sourceIp: visitorAddress(request) };
}

export function visitorAddress(request: IncomingMessage): string {
  return (request.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '');
}
