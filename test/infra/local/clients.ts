import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';

const options = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

export const dynamoDbClient = (endpoint: string) => new DynamoDBClient(options(endpoint));
export const sqsClient = (endpoint: string) => new SQSClient(options(endpoint));
export const snsClient = (endpoint: string) => new SNSClient(options(endpoint));
export const schedulerClient = (endpoint: string) => new SchedulerClient(options(endpoint));
