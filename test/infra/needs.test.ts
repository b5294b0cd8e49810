import { Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ConfigurationSet } from 'aws-cdk-lib/aws-ses';
import { grantNeeds, type Resources } from '../../infra/constructs/needs.ts';
import { feedbackLanes } from '../../infra/resources.ts';
import type { EmailUse } from '../../shared/contract/route.ts';
import { uncheckedApp } from './deployment.ts';

const set = 'arn:aws:ses:eu-west-3:111122223333:configuration-set/feedback';

function statementsFor(uses: readonly EmailUse[]) {
  const app = uncheckedApp();
  const stack = new Stack(app, 'Stack', { env: { region: 'eu-west-3' } });
  const configurationSet = new ConfigurationSet(stack, 'Set');
  const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  const lane = { configurationSet, configurationSetArn: set };
  const feedback = new Map(feedbackLanes.map(({ name }) => [name, lane]));
  const resources = { feedback } as unknown as Resources;
  grantNeeds(role, { email: uses }, resources);
  const { Resources: all } = app.synth().getStackByName('Stack').template;
  const policies = Object.values<{ Type: string; Properties: { PolicyDocument: { Statement: object[] } } }>(all);
  return policies
    .filter(({ Type }) => Type === 'AWS::IAM::Policy')
    .flatMap((p) => p.Properties.PolicyDocument.Statement);
}

describe('a function that sends in bulk', () => {
  it('may do so by both of SES’s action names, from identities of this account and with its one configuration set', () => {
    expect(statementsFor(['bulk'])).toEqual([
      {
        Effect: 'Allow',
        Action: ['ses:SendBulkEmail', 'ses:SendBulkTemplatedEmail'],
        Resource: [set, expect.anything()],
      },
    ]);
  });
});

describe('a function that reads the limits of the account', () => {
  it('may call GetAccount, which takes no resource, and may not send', () => {
    expect(statementsFor(['account'])).toEqual([{ Effect: 'Allow', Action: 'ses:GetAccount', Resource: '*' }]);
  });
});
