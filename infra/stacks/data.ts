import { Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import type { UserPool } from 'aws-cdk-lib/aws-cognito';
import { AttributeType, Billing, ProjectionType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { operatorPool } from '../constructs/operators/pool.ts';
import { files, type IndexDefinition, table } from '../resources.ts';
import { keepsUsers, type Settings } from '../settings.ts';

export interface DataStackProps extends StackProps {
  readonly settings: Settings;
}

/**
 * What must never be lost, apart from what is deployed often: the table, the bucket of files, the service secret and the
 * accounts of operators.
 */
export class DataStack extends Stack {
  readonly table: TableV2;
  readonly files: Bucket;
  readonly secret: Secret;
  /** The accounts of operators, where the deployment keeps them. */
  readonly users: UserPool | null;

  constructor(scope: Construct, id: string, { settings, ...props }: DataStackProps) {
    super(scope, id, {
      ...props,
      terminationProtection: true,
      description: 'Mailroom: table, files, service secret and accounts of operators',
    });
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
    this.files = filesBucket(this);
    this.secret = serviceSecret(this);
    this.users = keepsUsers(settings) ? operatorPool(this, settings) : null;
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

/** Private, and everything in it ends by itself: uploads within two days, bodies when the last email can have gone out. */
function filesBucket(scope: Construct): Bucket {
  const bucket = new Bucket(scope, 'Files', {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    versioned: false,
    lifecycleRules: [
      ...files.areas.map(({ prefix, expiresAfterDays }) => ({ prefix, expiration: Duration.days(expiresAfterDays) })),
      { abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ],
    removalPolicy: RemovalPolicy.RETAIN,
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'Every file is written and read by one call of the API or one message, which are logged with their ids.',
  });
  return bucket;
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
