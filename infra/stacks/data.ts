import {
  CrossStackReferences,
  Duration,
  ReferenceStrength,
  RemovalPolicy,
  Stack,
  type StackProps,
  Validations,
} from 'aws-cdk-lib';
import type { UserPool } from 'aws-cdk-lib/aws-cognito';
import { AttributeType, Billing, ProjectionType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { operatorPool } from '../constructs/operatorPool.ts';
import { files, type IndexDefinition, table } from '../resources.ts';
import { keepsUsers, type Settings } from '../settings.ts';

export interface DataStackProps extends StackProps {
  readonly settings: Settings;
}

/** Everything that must never be lost, separate from the stacks that are deployed often. */
export class DataStack extends Stack {
  readonly table: TableV2;
  readonly files: Bucket;
  readonly secret: Secret;
  /** Signs operators' sessions; only the console may read it. */
  readonly consoleSecret: Secret;
  /** The accounts of operators, if the deployment keeps them. */
  readonly users: UserPool | null;

  constructor(scope: Construct, id: string, { settings, ...props }: DataStackProps) {
    super(scope, id, {
      ...props,
      terminationProtection: true,
      description: 'Mailroom: table, files, secrets and accounts of operators',
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
    this.secret = generatedSecret(this, 'ServiceSecret', 'keys for cursors, links and webhook secrets');
    this.consoleSecret = generatedSecret(this, 'ConsoleSecret', 'keys that sign sessions of the console');
    this.users = keepsUsers(settings) ? operatorPool(this, settings) : null;
    // CloudFormation refuses to replace a resource that another stack imports: otherwise a new, empty table would go
    // unnoticed.
    for (const kept of [this.table, this.files, this.secret]) {
      CrossStackReferences.of(kept).produce(ReferenceStrength.STRONG);
    }
    // Exported even while the settings name another table: CloudFormation refuses to remove an export in use.
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

/** Private; every file expires: uploads within two days, bodies when the last scheduled email has been sent. */
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
    reason: 'Every file is written and read by a call of the API or a queue message, which are logged with their ids.',
  });
  return bucket;
}

/**
 * `{"current": "<random>"}`; `secret rotate` moves the value to `previous`, and earlier secrets stay valid for
 * verification. Never change `generateSecretString`: CloudFormation would generate a new secret.
 */
function generatedSecret(scope: Construct, id: string, derived: string): Secret {
  const secret = new Secret(scope, id, {
    description: `Mailroom: ${derived} are derived from it`,
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
      'No other system knows the secret, and mailed links must keep working: an operator rotates it with ' +
      '"secret rotate", which keeps every earlier one.',
  });
  return secret;
}
