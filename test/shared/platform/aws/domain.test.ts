import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { domainOf } from '../../../../shared/platform/aws/domain.ts';

/** One of each partition that the SDK knows. */
const regions = [
  ...['us-east-1', 'eu-west-3', 'ap-southeast-7', 'mx-central-1', 'us-gov-west-1', 'cn-north-1', 'cn-northwest-1'],
  ...['eusc-de-east-1', 'us-iso-east-1', 'us-isob-east-1', 'us-isof-south-1', 'eu-isoe-west-1'],
];

describe('the domain of a region', () => {
  it.each(regions)('is that of the SDK: %s', (region) => {
    const { endpointProvider } = new DynamoDBClient({ region }).config;
    const { url } = endpointProvider({ Region: region, UseDualStack: false, UseFIPS: false } as never);
    expect(`dynamodb.${region}.${domainOf(region)}`).toBe(url.hostname);
  });
});
