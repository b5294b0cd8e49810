import { Aws, Duration, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  type CfnUserPool,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  PasskeyUserVerification,
  UserPool,
} from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import { type Settings, serviceName } from '../settings.ts';

/**
 * Accounts of operators, by invitation only and with a second factor. A passkey counts as two factors, since it asks for a
 * fingerprint, a face or a PIN (`webAuthnFactorConfiguration`). The plan is the cheapest with passkeys; its first 10,000
 * users a month are free.
 */
export function operatorPool(scope: Construct, settings: Settings): UserPool {
  const pool = new UserPool(scope, 'Operators', {
    featurePlan: FeaturePlan.ESSENTIALS,
    selfSignUpEnabled: false,
    signInAliases: { email: true },
    signInCaseSensitive: false,
    // An invitation is for one address, which the account cannot change.
    standardAttributes: { email: { required: true, mutable: false } },
    signInPolicy: { allowedFirstAuthFactors: { password: true, passkey: true } },
    passkeyUserVerification: PasskeyUserVerification.REQUIRED,
    mfa: Mfa.REQUIRED,
    mfaSecondFactor: { otp: true, sms: false },
    passwordPolicy: {
      minLength: 12,
      requireLowercase: true,
      requireUppercase: true,
      requireDigits: true,
      requireSymbols: true,
      tempPasswordValidity: Duration.days(7),
    },
    accountRecovery: AccountRecovery.EMAIL_ONLY,
    userInvitation: invitation,
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  (pool.node.defaultChild as CfnUserPool).webAuthnFactorConfiguration = 'MULTI_FACTOR_WITH_USER_VERIFICATION';
  const domain = pool.addDomain('Domain', {
    cognitoDomain: { domainPrefix: domainPrefix(settings) },
    managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
  });
  // Passkeys are bound to the domain.
  domain.applyRemovalPolicy(RemovalPolicy.RETAIN);
  Validations.of(pool).acknowledge(...Object.entries(findings).map(([id, reason]) => ({ id, reason })));
  return pool;
}

/** Unique in a region by a part of the stack's id. */
function domainPrefix(settings: Settings): string {
  const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return `${serviceName(settings)}-${Fn.select(4, Fn.split('-', stackUuid))}`;
}

/** Cognito fills in the address and the password. */
const invitation = {
  emailSubject: 'Mailroom: your invitation · votre invitation',
  emailBody:
    '<p>You are invited to the Mailroom console. Sign in as {username} with this password, which is good for seven days: <code>{####}</code></p>' +
    '<p lang="fr">Vous êtes invité à la console Mailroom. Connectez-vous en tant que {username} avec ce mot de passe, valable sept jours : <code>{####}</code></p>',
};

const findings = {
  'AwsSolutions-COG3':
    'Threat protection is part of the Plus plan, which has no free users. A second factor is required instead.',
  'AwsSolutions-COG8': 'As for AwsSolutions-COG3: the Plus plan costs money from the first user on.',
};
