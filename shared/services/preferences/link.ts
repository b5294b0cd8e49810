import type { SendEmailRequest } from '../../contract/schemas/email/request.ts';
import { addressKey } from '../../domain/address/address.ts';
import { publicUrl } from '../../platform/config.ts';
import { ensureLeaveLink } from '../../store/person/leaveLinks.ts';

/** A person's own link to leave a workspace and to say what they want of it; it never expires. */
export async function leaveUrl(workspaceId: string, address: string): Promise<string> {
  return `${publicUrl()}/unsubscribe/${await ensureLeaveLink(workspaceId, addressKey(address))}.${workspaceId}`;
}

/** The request with the link of its one recipient, in the headers and wherever the bodies ask for it. */
export async function withLeaveLink<Body extends Pick<SendEmailRequest, 'html' | 'text' | 'unsubscribe_url'>>(
  body: Body,
  workspaceId: string,
  address: string,
): Promise<Body> {
  const url = await leaveUrl(workspaceId, address);
  const filled = (text: string | undefined) => text?.replaceAll(/\{\{\s*unsubscribe_url\s*\}\}/g, () => url);
  return { ...body, html: filled(body.html), text: filled(body.text), unsubscribe_url: url };
}
