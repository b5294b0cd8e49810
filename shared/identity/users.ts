import {
  AdminCreateUserCommand,
  type AdminCreateUserCommandInput,
  AdminDeleteUserCommand,
  CognitoIdentityProviderClient,
  UnsupportedUserStateException,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { connection } from '../platform/aws/connection.ts';
import { config, hasConfig } from '../platform/config.ts';

/** What became of an invitation: mailed with a password for once, or there is an account that has been used. */
export type Invited = 'mailed' | 'known';

let pool: CognitoIdentityProviderClient | undefined;

function users(): CognitoIdentityProviderClient {
  pool ??= new CognitoIdentityProviderClient(connection());
  return pool;
}

/** Whether this deployment keeps the accounts of its operators itself. */
export const keepsUsers = (): boolean => hasConfig('USER_POOL_ID');

/**
 * Makes an account in the user pool, whose owner is mailed a password for once; again to one that has not been used yet,
 * since such a password is good for a few days.
 */
export async function inviteUser(email: string): Promise<Invited> {
  const wanted: AdminCreateUserCommandInput = {
    UserPoolId: config('USER_POOL_ID'),
    Username: email,
    DesiredDeliveryMediums: ['EMAIL'],
    // The invitation itself reaches nobody but the owner of the mailbox.
    UserAttributes: [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' },
    ],
  };
  try {
    await users().send(new AdminCreateUserCommand(wanted));
    return 'mailed';
  } catch (error) {
    if (!(error instanceof UsernameExistsException)) throw error;
    return mailAgain(wanted);
  }
}

async function mailAgain(wanted: AdminCreateUserCommandInput): Promise<Invited> {
  try {
    await users().send(new AdminCreateUserCommand({ ...wanted, MessageAction: 'RESEND' }));
    return 'mailed';
  } catch (error) {
    if (error instanceof UnsupportedUserStateException) return 'known';
    throw error;
  }
}

interface Account {
  readonly email: string;
  /** Who its owner has signed in as, at whichever provider. */
  readonly identity: { readonly issuer: string; readonly subject: string } | null;
}

/** Deletes an account, by its name in the pool where that is known; one that is gone is well. */
export async function deleteUser({ email, identity }: Account): Promise<void> {
  const UserPoolId = config('USER_POOL_ID');
  // A pool's issuer is its address, at whose end its id stands; the subject is what it calls an account itself.
  const Username = identity?.issuer.endsWith(`/${UserPoolId}`) ? identity.subject : email;
  try {
    await users().send(new AdminDeleteUserCommand({ UserPoolId, Username }));
  } catch (error) {
    if (!(error instanceof UserNotFoundException)) throw error;
  }
}
