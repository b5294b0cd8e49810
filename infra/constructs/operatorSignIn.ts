import { Duration, Stack } from 'aws-cdk-lib';
import {
  CfnManagedLoginBranding,
  type IUserPool,
  OAuthScope,
  UserPoolClient,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { consolePaths } from '../../shared/contract/endpoints.ts';
import type { Settings } from '../settings.ts';

export interface PoolSignInProps {
  readonly publicUrl: string;
  readonly users: IUserPool;
}

/**
 * The console as a client of the deployment's own user pool. It is a public client: PKCE binds the code to the browser
 * that requested it, so that no client secret is needed, which CloudFormation could only pass on in plain text.
 */
export class PoolSignIn extends Construct {
  readonly provider: NonNullable<Settings['console']['provider']>;

  constructor(scope: Construct, id: string, { publicUrl, users }: PoolSignInProps) {
    super(scope, id);
    const client = new UserPoolClient(this, 'Client', {
      userPool: users,
      generateSecret: false,
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
        callbackUrls: [`${publicUrl}${consolePaths.returning}`],
        logoutUrls: [`${publicUrl}${consolePaths.root}`],
      },
      // Managed login needs it to offer passkeys beside passwords.
      authFlows: { user: true },
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      // A token is read once, after the sign-in; from then on the console uses its own session.
      idTokenValidity: Duration.minutes(5),
      accessTokenValidity: Duration.minutes(5),
      refreshTokenValidity: Duration.hours(1),
      authSessionValidity: Duration.minutes(15),
    });
    // Managed login shows no page for a client without a style.
    new CfnManagedLoginBranding(this, 'Style', {
      userPoolId: users.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    const { region } = Stack.of(this);
    const issuer = `https://cognito-idp.${region}.${Stack.of(this).urlSuffix}/${users.userPoolId}`;
    this.provider = { issuer, clientId: client.userPoolClientId, clientSecretArn: undefined };
  }
}
