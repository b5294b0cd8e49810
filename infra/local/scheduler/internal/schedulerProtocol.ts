import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { parseOneTimeExpression } from './scheduleExpression.ts';

/** The supported input of CreateSchedule and UpdateSchedule: one time, one SQS queue. `dueAt` is in epoch milliseconds. */
export const definitionSchema = z
  .object({
    GroupName: z.literal('default').default('default'),
    ScheduleExpression: z.string(),
    ScheduleExpressionTimezone: z.string().default('UTC'),
    FlexibleTimeWindow: z.object({ Mode: z.literal('OFF') }),
    Target: z.object({
      Arn: z
        .string()
        .regex(/^arn:aws[\w-]*:sqs:[\w-]+:\d{12}:[\w-]{1,80}(\.fifo)?$/, 'must be the ARN of an SQS queue'),
      RoleArn: z.string().regex(/^arn:aws[\w-]*:iam::\d{12}:role\/.+$/),
      Input: z.string().min(1).max(262_144),
      SqsParameters: z.object({ MessageGroupId: z.string().optional() }).optional(),
      RetryPolicy: z.unknown().optional(),
      DeadLetterConfig: z.unknown().optional(),
    }),
    State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
    ActionAfterCompletion: z.enum(['NONE', 'DELETE']).default('NONE'),
    Description: z.string().max(512).optional(),
    ClientToken: z.string().min(1).max(64).optional(),
  })
  .transform((definition, context) => {
    const dueAt = parseOneTimeExpression(definition.ScheduleExpression, definition.ScheduleExpressionTimezone);
    if (dueAt !== undefined) return { ...definition, dueAt };
    context.addIssue({ code: 'custom', message: 'must be at(yyyy-mm-ddThh:mm:ss)', path: ['ScheduleExpression'] });
    return z.NEVER;
  });
export type Definition = z.output<typeof definitionSchema>;

export const nameSchema = z.string().regex(/^[0-9a-zA-Z-_.]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 - _ .');
export const listSchema = z.object({
  ScheduleGroup: z.string().default('default'),
  NamePrefix: z.string().default(''),
  State: z.enum(['ENABLED', 'DISABLED']).optional(),
  MaxResults: z.coerce.number().int().min(1).max(100).default(100),
  NextToken: z.string().default(''),
});
export const clockSchema = z.object({ offset_seconds: z.number() });

/** An error of the Scheduler, with the name of the SDK's exception. */
export class SchedulerError extends Error {
  readonly status: number;
  readonly type: string;
  constructor(status: number, type: string, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

export async function parseBody<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
): Promise<z.output<Schema>> {
  const content: unknown = await json(request).catch(() => {
    throw new SchedulerError(400, 'ValidationException', 'The body is not JSON.');
  });
  return parse(schema, content);
}

export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'name'}: ${message}`);
  throw new SchedulerError(400, 'ValidationException', problems.join('; '));
}

/** Errors are a header and a `Message` (AWS REST-JSON protocol). */
export function reply(response: ServerResponse, status: number, content: object, errorType?: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(errorType && { 'x-amzn-errortype': errorType }),
  });
  response.end(JSON.stringify(content));
}

export function replyError(response: ServerResponse, error: unknown, logger: Pick<Console, 'error'>): void {
  if (error instanceof SchedulerError) {
    reply(response, error.status, { Message: error.message }, error.type);
  } else {
    logger.error('The local scheduler failed:', error);
    reply(response, 500, { Message: 'Internal error.' }, 'InternalServerException');
  }
}
