import { Duration, Stack } from 'aws-cdk-lib';
import {
  CfnManagedLoginBranding,
  type IUserPool,
  OAuthScope,
  UserPoolClient,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { consolePaths } from '../../../shared/contract/pages.ts';
import type { Settings } from '../../settings.ts';

export interface PoolSignInProps {
  readonly publicUrl: string;
  readonly users: IUserPool;
}

/**
 * The console as a client of the deployment's own pool. A public client: PKCE binds a code to the browser that asked for
 * it, and so there is no secret, which CloudFormation could only hand on in clear.
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
      // What managed login needs to offer passkeys beside passwords.
      authFlows: { user: true },
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      // A token is looked at once, when somebody comes back; the session is the console's own.
      idTokenValidity: Duration.minutes(5),
      accessTokenValidity: Duration.minutes(5),
      refreshTokenValidity: Duration.hours(1),
      authSessionValidity: Duration.minutes(15),
    });
    // Managed login shows nothing for a client without a style.
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
