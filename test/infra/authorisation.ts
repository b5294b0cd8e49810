import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BundledFunction } from '../../infra/bundle.ts';

/**
 * The actions with which AWS authorises commands (Service Authorization Reference, one page a service).
 * Transactions are authorised as the writes in them, and content of mail by its kind: SendEmail with raw content is
 * `ses:SendRawEmail`, and that is the only content that is sent here.
 */
export const authorisedAs: Readonly<Record<string, readonly string[]>> = {
  'lib-dynamodb/Get': ['dynamodb:GetItem'],
  'lib-dynamodb/BatchGet': ['dynamodb:BatchGetItem'],
  'lib-dynamodb/Query': ['dynamodb:Query'],
  'lib-dynamodb/Scan': ['dynamodb:Scan'],
  'lib-dynamodb/Put': ['dynamodb:PutItem'],
  'lib-dynamodb/Update': ['dynamodb:UpdateItem'],
  'lib-dynamodb/Delete': ['dynamodb:DeleteItem'],
  'lib-dynamodb/BatchWrite': ['dynamodb:BatchWriteItem'],
  'lib-dynamodb/TransactWrite': [
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'dynamodb:DeleteItem',
    'dynamodb:ConditionCheckItem',
  ],
  'client-sesv2/SendEmail': ['ses:SendEmail', 'ses:SendRawEmail'],
  'client-sesv2/SendBulkEmail': ['ses:SendBulkEmail', 'ses:SendBulkTemplatedEmail'],
  'client-sesv2/GetAccount': ['ses:GetAccount'],
  'client-sesv2/GetEmailIdentity': ['ses:GetEmailIdentity'],
  'client-sesv2/CreateEmailIdentity': ['ses:CreateEmailIdentity'],
  'client-sesv2/DeleteEmailIdentity': ['ses:DeleteEmailIdentity'],
  'client-sesv2/PutEmailIdentityFeedbackAttributes': ['ses:PutEmailIdentityFeedbackAttributes'],
  'client-sesv2/PutEmailIdentityMailFromAttributes': ['ses:PutEmailIdentityMailFromAttributes'],
  'client-sesv2/DeleteSuppressedDestination': ['ses:DeleteSuppressedDestination'],
  'client-sqs/SendMessage': ['sqs:SendMessage'],
  'client-sqs/SendMessageBatch': ['sqs:SendMessage'],
  'client-sqs/GetQueueAttributes': ['sqs:GetQueueAttributes'],
  'client-sqs/ReceiveMessage': ['sqs:ReceiveMessage'],
  'client-sqs/DeleteMessageBatch': ['sqs:DeleteMessage'],
  'client-sqs/ChangeMessageVisibilityBatch': ['sqs:ChangeMessageVisibility'],
  'client-sqs/StartMessageMoveTask': ['sqs:StartMessageMoveTask'],
  'client-sqs/ListMessageMoveTasks': ['sqs:ListMessageMoveTasks'],
  // A schedule passes the role that it uses.
  'client-scheduler/CreateSchedule': ['scheduler:CreateSchedule', 'iam:PassRole'],
  'client-scheduler/DeleteSchedule': ['scheduler:DeleteSchedule'],
  'client-cognito-identity-provider/AdminCreateUser': ['cognito-idp:AdminCreateUser'],
  'client-cognito-identity-provider/AdminDeleteUser': ['cognito-idp:AdminDeleteUser'],
  'client-secrets-manager/GetSecretValue': ['secretsmanager:GetSecretValue'],
  // Requests of the bucket. A reader must be able to learn that a file does not exist.
  's3/PutObject': ['s3:PutObject'],
  's3/CreateMultipartUpload': ['s3:PutObject'],
  's3/UploadPart': ['s3:PutObject'],
  's3/CompleteMultipartUpload': ['s3:PutObject'],
  's3/GetObject': ['s3:GetObject', 's3:ListBucket'],
  's3/DeleteObject': ['s3:DeleteObject'],
  's3/ListObjectsV2': ['s3:ListBucket'],
  's3/presignedPut': ['s3:PutObject'],
  's3/presignedGet': ['s3:GetObject'],
};

/** The AWS commands in a bundle: commands of the SDK's clients (`client-sesv2/GetAccount`), and requests of the bucket. */
export async function commandsOf({ modules, folder }: BundledFunction): Promise<readonly string[]> {
  const commands = modules
    .map((file) =>
      /@aws-sdk\/(lib-dynamodb|client-(?!dynamodb)[\w-]+)\/dist-es\/commands\/(\w+)Command\.js$/.exec(file),
    )
    .filter((found) => found !== null)
    .map((found) => `${found[1]}/${found[2]}`);
  const code = await readFile(join(folder, 'index.mjs'), 'utf8');
  const requests = Object.keys(authorisedAs).filter((name) => {
    const [service, operation] = name.split('/');
    return service === 's3' && code.includes(`"${presigned[operation ?? ''] ?? operation}"`);
  });
  return [...commands, ...requests];
}

/** What only presigned requests have that write or read a file. */
const presigned: Readonly<Record<string, string>> = {
  presignedPut: 'x-amz-checksum-sha256',
  presignedGet: 'response-content-disposition',
};
