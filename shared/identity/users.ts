import {
  AdminCreateUserCommand,
  type AdminCreateUserCommandInput,
  AdminDeleteUserCommand,
  CognitoIdentityProviderClient,
  UnsupportedUserStateException,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { connection } from '../platform/aws/clients.ts';
import { config, hasConfig } from '../platform/config.ts';

/** `mailed`: with a temporary password. `known`: the account has been used before, so nothing was sent. */
export type InvitationOutcome = 'mailed' | 'known';

let pool: CognitoIdentityProviderClient | undefined;

function users(): CognitoIdentityProviderClient {
  pool ??= new CognitoIdentityProviderClient(connection());
  return pool;
}

/** Whether this deployment manages the accounts of its operators in a user pool. */
export const keepsUsers = (): boolean => hasConfig('USER_POOL_ID');

/**
 * Creates an account in the user pool and mails a temporary password to its owner. An account that was never used gets
 * the mail again, because temporary passwords expire after some days.
 */
export async function inviteUser(email: string): Promise<InvitationOutcome> {
  const input: AdminCreateUserCommandInput = {
    UserPoolId: config('USER_POOL_ID'),
    Username: email,
    DesiredDeliveryMediums: ['EMAIL'],
    // Verified, because only the owner of the mailbox receives the invitation.
    UserAttributes: [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' },
    ],
  };
  try {
    await users().send(new AdminCreateUserCommand(input));
    return 'mailed';
  } catch (error) {
    if (!(error instanceof UsernameExistsException)) throw error;
    return mailAgain(input);
  }
}

async function mailAgain(input: AdminCreateUserCommandInput): Promise<InvitationOutcome> {
  try {
    await users().send(new AdminCreateUserCommand({ ...input, MessageAction: 'RESEND' }));
    return 'mailed';
  } catch (error) {
    if (error instanceof UnsupportedUserStateException) return 'known';
    throw error;
  }
}

interface Account {
  readonly email: string;
  /** The identity with which its owner has signed in, at this or another provider. */
  readonly identity: { readonly issuer: string; readonly subject: string } | null;
}

/** Deletes an account by its name in the pool, if that is known, else by address. Idempotent. */
export async function deleteUser({ email, identity }: Account): Promise<void> {
  const UserPoolId = config('USER_POOL_ID');
  // The issuer of a pool is its URL, which ends with the pool's id; the subject is the name of the account there.
  const Username = identity?.issuer.endsWith(`/${UserPoolId}`) ? identity.subject : email;
  try {
    await users().send(new AdminDeleteUserCommand({ UserPoolId, Username }));
  } catch (error) {
    if (!(error instanceof UserNotFoundException)) throw error;
  }
}
