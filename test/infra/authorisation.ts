import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BundledFunction } from '../../infra/bundle.ts';

/**
 * Under which actions AWS authorises what commands do (Service Authorization Reference, one page a service).
 * Transactions are authorised as the writes in them, and content of mail by its kind: SendEmail with raw content is
 * `ses:SendRawEmail`, and that is the only content that is sent here.
 */
export const authorisedAs: Readonly<Record<string, readonly string[]>> = {
  'dynamodb/GetItem': ['dynamodb:GetItem'],
  'dynamodb/BatchGetItem': ['dynamodb:BatchGetItem'],
  'dynamodb/Query': ['dynamodb:Query'],
  'dynamodb/Scan': ['dynamodb:Scan'],
  'dynamodb/PutItem': ['dynamodb:PutItem'],
  'dynamodb/UpdateItem': ['dynamodb:UpdateItem'],
  'dynamodb/DeleteItem': ['dynamodb:DeleteItem'],
  'dynamodb/BatchWriteItem': ['dynamodb:BatchWriteItem'],
  'dynamodb/TransactWriteItems': [
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'dynamodb:DeleteItem',
    'dynamodb:ConditionCheckItem',
  ],
  'email/sendEnvelope': ['ses:SendEmail', 'ses:SendRawEmail'],
  'client-sesv2/SendBulkEmail': ['ses:SendBulkEmail', 'ses:SendBulkTemplatedEmail'],
  'client-sesv2/GetAccount': ['ses:GetAccount'],
  'client-sesv2/GetEmailIdentity': ['ses:GetEmailIdentity'],
  'client-sesv2/CreateEmailIdentity': ['ses:CreateEmailIdentity'],
  'client-sesv2/PutEmailIdentityFeedbackAttributes': ['ses:PutEmailIdentityFeedbackAttributes'],
  'client-sesv2/PutEmailIdentityMailFromAttributes': ['ses:PutEmailIdentityMailFromAttributes'],
  'client-sesv2/DeleteSuppressedDestination': ['ses:DeleteSuppressedDestination'],
  'sqs/SendMessage': ['sqs:SendMessage'],
  'sqs/SendMessageBatch': ['sqs:SendMessage'],
  'sqs/GetQueueAttributes': ['sqs:GetQueueAttributes'],
  'sqs/GetQueueUrl': ['sqs:GetQueueUrl'],
  'sqs/ReceiveMessage': ['sqs:ReceiveMessage'],
  'sqs/DeleteMessageBatch': ['sqs:DeleteMessage'],
  'sqs/ChangeMessageVisibilityBatch': ['sqs:ChangeMessageVisibility'],
  'sqs/StartMessageMoveTask': ['sqs:StartMessageMoveTask'],
  // A schedule carries the role that it acts in.
  'scheduler/schedule': ['scheduler:CreateSchedule', 'iam:PassRole'],
  'scheduler/unschedule': ['scheduler:DeleteSchedule'],
  'client-cognito-identity-provider/AdminCreateUser': ['cognito-idp:AdminCreateUser'],
  'client-cognito-identity-provider/AdminDeleteUser': ['cognito-idp:AdminDeleteUser'],
  'secretsmanager/GetSecretValue': ['secretsmanager:GetSecretValue'],
  // Our own requests, one a file. Who reads must be able to hear that a file is not there.
  'files/put': ['s3:PutObject'],
  'files/presign': ['s3:PutObject'],
  'files/get': ['s3:GetObject', 's3:ListBucket'],
  'files/delete': ['s3:DeleteObject'],
  'files/list': ['s3:ListBucket'],
};

/** What a bundle asks AWS for: commands of the SDK's clients (`client-sesv2/GetAccount`), and our own requests. */
export async function commandsOf({ modules, folder }: BundledFunction): Promise<readonly string[]> {
  const requests = modules
    .map(
      (file) =>
        /@aws-sdk\/([\w-]+)\/dist-es\/commands\/(\w+)Command\.js$/.exec(file) ??
        /^shared\/store\/(files)\/(put|get|delete|list|presign)\.ts$/.exec(file) ??
        /^shared\/queue\/(scheduler)\/(schedule|unschedule)\.ts$/.exec(file) ??
        /^shared\/(email)\/(sendEnvelope)\.ts$/.exec(file),
    )
    .filter((found) => found !== null)
    .map((found) => `${found?.[1]}/${found?.[2]}`);
  // Commands of DynamoDB stand in one file, of which a bundle holds those that are used.
  const code = await readFile(join(folder, 'index.mjs'), 'utf8');
  const operations = [...code.matchAll(/\boperation="(\w+)"/g)].map(([, name]) => `dynamodb/${name}`);
  // What is asked of SQS and of Secrets Manager stands in it as it travels.
  const targets = [...code.matchAll(/\bAmazonSQS\.(\w+)/g)].map(([, name]) => `sqs/${name}`);
  const secrets = [...code.matchAll(/\b(secretsmanager)\.(\w+)/g)].map(([, service, name]) => `${service}/${name}`);
  return [...requests, ...operations, ...targets, ...secrets];
}
