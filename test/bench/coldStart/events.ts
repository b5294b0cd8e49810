import { createId } from '../../../shared/domain/identifier.ts';
import { feedbackTags } from '../../../shared/email/feedbackTags.ts';
import type { BenchService } from '../service.ts';

/** What API Gateway hands to a function for a call with the seeded workspace's key. */
const apiEvent = ({ dev }: BenchService, method: string, path: string, body?: object) => ({
  resource: path,
  path,
  httpMethod: method,
  headers: { Authorization: `Bearer ${dev.api_key}`, 'Content-Type': 'application/json' },
  multiValueHeaders: {},
  queryStringParameters: null,
  multiValueQueryStringParameters: null,
  pathParameters: null,
  stageVariables: null,
  body: body === undefined ? null : Buffer.from(JSON.stringify(body)).toString('base64'),
  isBase64Encoded: body !== undefined,
  requestContext: { requestId: 'bench', identity: { sourceIp: '127.0.0.1' } },
});

/** What SQS hands to a worker: one message. */
const queueEvent = (message: object, queue = 'queue') => ({
  Records: [
    {
      messageId: 'bench',
      receiptHandle: 'bench',
      body: JSON.stringify(message),
      attributes: { ApproximateReceiveCount: '1' },
      messageAttributes: {},
      eventSource: 'aws:sqs',
      eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${queue}`,
      awsRegion: 'us-east-1',
    },
  ],
});

/** By the file of a function, an event that it handles whole. */
export function eventsOf(service: BenchService): Record<string, object> {
  const api = (method: string, path: string, body?: object) => apiEvent(service, method, path, body);
  const email = {
    from: 'Acme <hello@example.com>',
    to: 'cold@example.net',
    subject: 'Your receipt',
    html: '<p>Thank you.</p>',
    text: 'Thank you.',
  };
  const person = { email: 'cold@example.net', firstName: 'Ada', double_opt_in: false };
  return {
    'functions/api/emails/send.ts': api('POST', '/api/v1/emails', email),
    'functions/api/subscribers/upsert.ts': api('POST', '/api/v1/subscribers', person),
    'functions/api/account/get.ts': api('GET', '/api/v1/me'),
    'functions/workers/feedback.ts': delivered(service.dev.workspace_id),
  };
}

/** SES's word that a message was delivered, as it lies in the queue. */
function delivered(workspaceId: string) {
  const id = createId('email', new Date());
  const at = new Date().toISOString();
  const tags = feedbackTags({ kind: 'email', id, workspaceId, envelope: 0, minute: 0 }, []);
  const report = {
    eventType: 'Delivery',
    mail: {
      messageId: 'bench',
      timestamp: at,
      destination: ['cold@example.net'],
      tags: Object.fromEntries(tags.map(({ name, value }) => [name, [value]])),
    },
    delivery: { timestamp: at, recipients: ['cold@example.net'] },
  };
  return queueEvent(report, 'feedback');
}
