import { randomBytes } from 'node:crypto';
import type { Confirmation, Person } from '../../domain/person/subscriber.ts';
import { derivedId } from '../../domain/token/identifier.ts';

/** Names one request for consent; it travels in the link. */
export const createConfirmationId = (): string => randomBytes(16).toString('base64url');

/** The email of a round: the same however often it is begun, so that a resumed send finds what the first one did. */
export function confirmationEmailId({ workspaceId, email }: Person, { id, round }: Confirmation): string {
  return derivedId('email', ['confirmation', workspaceId, email, id, round].join('#'));
}
