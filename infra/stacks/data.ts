import { RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type IndexDefinition, table } from '../resources.ts';

/** What must never be lost, apart from what is deployed often: the table and the service secret. */
export class DataStack extends Stack {
  readonly table: TableV2;
  readonly secret: Secret;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, { ...props, terminationProtection: true, description: 'Mailroom: table and service secret' });
    this.table = new TableV2(this, 'Table', {
      partitionKey: string(table.partitionKey),
      sortKey: string(table.sortKey),
      timeToLiveAttribute: table.timeToLive,
      globalSecondaryIndexes: table.indexes.map(indexProperties),
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.secret = serviceSecret(this);
    // Exported also while another table is taken: CloudFormation would refuse to remove what is still imported.
    for (const value of [this.table.tableName, this.table.tableArn]) this.exportValue(value);
  }
}

const string = (name: string) => ({ name, type: AttributeType.STRING });

function indexProperties({ name, partitionKey, sortKey, projected }: IndexDefinition) {
  return {
    indexName: name,
    partitionKey: string(partitionKey),
    sortKey: string(sortKey),
    ...(projected.length === 0
      ? { projectionType: ProjectionType.KEYS_ONLY }
      : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...projected] }),
  };
}

/**
 * `{"current": "<random>"}`; `secret rotate` moves that to `previous`, where all earlier ones go on verifying. Another
 * description of how it is generated would make CloudFormation generate it anew: never change it.
 */
function serviceSecret(scope: Construct): Secret {
  const secret = new Secret(scope, 'ServiceSecret', {
    description: 'Mailroom: keys for cursors, links and webhook secrets are derived from it',
    generateSecretString: {
      secretStringTemplate: '{}',
      generateStringKey: 'current',
      passwordLength: 64,
      excludePunctuation: true,
    },
    removalPolicy: RemovalPolicy.RETAIN,
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      'No other system knows the secret, and links in mail that was sent must go on working: an operator rotates it ' +
      'with "secret rotate", which keeps every earlier one.',
  });
  return secret;
}
