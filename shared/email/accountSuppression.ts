import { DeleteSuppressedDestinationCommand, NotFoundException } from '@aws-sdk/client-sesv2';
import { provider } from './sesClient.ts';

/**
 * Takes an address off SES's own list of the account, which refuses mail whatever our lists say. Harmless when it is
 * not there. https://docs.aws.amazon.com/ses/latest/dg/sending-email-suppression-list.html
 */
export async function forgetAtProvider(email: string): Promise<void> {
  try {
    await provider.send(new DeleteSuppressedDestinationCommand({ EmailAddress: email }));
  } catch (error) {
    if (!(error instanceof NotFoundException)) throw error;
  }
}
