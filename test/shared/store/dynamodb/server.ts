import type { ServerResponse } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DocumentClient } from '../../../../shared/store/dynamodb/client.ts';
import type { Pair } from '../../platform/aws/besideSdk.ts';
import { tell } from '../../platform/aws/jsonServer.ts';

/** A refusal of DynamoDB's form. */
export const refuse = (response: ServerResponse, name: string, more: object = {}, status = 400) =>
  tell(response, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'Refused.', ...more }, status);

/** Ours, and the SDK's to compare it with. */
export const pair: Pair<DocumentClient, DynamoDBDocumentClient> = {
  variable: 'AWS_ENDPOINT_URL_DYNAMODB',
  own: (policy) => new DocumentClient(policy),
  sdk: (options) => DynamoDBDocumentClient.from(new DynamoDBClient(options)),
};

/** An update, which is not the same when it is done twice. */
export const input = {
  TableName: 'test',
  Key: { pk: 'a', sk: 'b' },
  UpdateExpression: 'ADD calls :one',
  ExpressionAttributeValues: { ':one': 1, ':none': undefined },
};
