import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

export interface FirewallProps {
  readonly stage: Stage;
  readonly requestsPerFiveMinutes: number;
}

/** Blocks an address with too many requests, before API Gateway counts or charges them. */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { stage, requestsPerFiveMinutes }: FirewallProps) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibility('Requests'),
      rules: [
        {
          name: 'rate',
          priority: 0,
          action: { block: {} },
          visibilityConfig: visibility('RateExceeded'),
          statement: {
            rateBasedStatement: {
              aggregateKeyType: 'IP',
              evaluationWindowSec: 300,
              limit: requestsPerFiveMinutes,
              scopeDownStatement: { notStatement: { statement: unsubscribing } },
            },
          },
        },
      ],
    });
    new CfnWebACLAssociation(this, 'Association', { webAclArn: acl.attrArn, resourceArn: stage.stageArn });
  }
}

/** A mailbox provider unsubscribes many people from few addresses (RFC 8058), and must never be blocked. */
const unsubscribing: CfnWebACL.StatementProperty = {
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: 'CONTAINS',
    searchString: '/unsubscribe/',
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
};

const visibility = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  sampledRequestsEnabled: true,
});
