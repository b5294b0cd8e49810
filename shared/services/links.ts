import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { SendEmailRequest } from '../contract/schemas/emailRequest.ts';
import { addressKey } from '../domain/address.ts';
import { isId } from '../domain/identifier.ts';
import { decodeLink, encodeLink, type Link, type LinkPurpose, type LinkSubject, linkSeconds } from '../domain/token.ts';
import { addSeconds } from '../platform/clock.ts';
import { publicUrl } from '../platform/config.ts';
import { addLogFields } from '../platform/logger.ts';
import { currentKey, verify, withFittingKey } from '../platform/secret.ts';
import { ensureLeaveLink, findLeaver } from '../store/person/links.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * A URL-safe token that nobody else can read or change (AES-256-GCM, NIST SP 800-38D), since proxies, logs and browser
 * histories store URLs. Equal subjects and times give equal tokens: the nonce is derived from the content with a key.
 */
export async function createLinkToken(purpose: LinkPurpose, subject: LinkSubject, issuedAt: Date): Promise<string> {
  const seconds = linkSeconds[purpose];
  const expiresAt = seconds === null ? null : addSeconds(issuedAt, seconds);
  const content = encodeLink({ ...subject, issuedAt, expiresAt });
  const [nonceKey, key] = await Promise.all([currentKey('links'), currentKey('link-contents')]);
  const nonce = createHmac('sha256', nonceKey).update(`nonce.${purpose}.${content}`).digest().subarray(0, nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

/** `{base_url}/confirm/<token>` or `{base_url}/unsubscribe/<token>`. */
export async function createLink(purpose: LinkPurpose, subject: LinkSubject, issuedAt: Date): Promise<string> {
  return `${publicUrl()}/${purpose}/${await createLinkToken(purpose, subject, issuedAt)}`;
}

export type LinkResult =
  | { readonly ok: true; readonly link: Link }
  | { readonly ok: false; readonly problem: 'tampered' }
  /** The link is genuine, so its page may still show who it was for. */
  | { readonly ok: false; readonly problem: 'expired'; readonly link: Link };

/** Verifies and decodes a token. Whether the link was used already is known from the subscriber alone. */
export async function readLink(purpose: LinkPurpose, token: string, now: Date): Promise<LinkResult> {
  const content = await (token.includes('.') ? signedContent(purpose, token) : sealedContent(purpose, token));
  if (content === null) return { ok: false, problem: 'tampered' };
  const link = decodeLink(content);
  addLogFields({ workspace_id: link.workspaceId });
  if (link.expiresAt && link.expiresAt <= now) return { ok: false, problem: 'expired', link };
  return { ok: true, link };
}

/** Null for a token that is not genuine. Of several texts that decode to the same bytes, only one is valid. */
async function sealedContent(purpose: LinkPurpose, token: string): Promise<string | null> {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== token) return null;
  return withFittingKey('link-contents', (key) => {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-tagBytes));
    try {
      return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return null;
    }
  });
}

/** Mail of earlier releases contains signed links with their content in base64url; they keep working. */
async function signedContent(purpose: LinkPurpose, token: string): Promise<string | null> {
  const [payload = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !(await verify('links', `${purpose}.${payload}`, signature))) return null;
  return Buffer.from(payload, 'base64url').toString('utf8');
}

/** The public sign-up form of a workspace; it is the only way back after unsubscribing. */
export function signUpUrl(publicId: string): string {
  return `${publicUrl()}/join/${publicId}`;
}

/** The page on which a person changes their preferences, by the token of their unsubscribe link. */
export const preferencesUrl = (token: string): string => `${publicUrl()}/preferences/${encodeURIComponent(token)}`;
export const unsubscribeUrl = (token: string): string => `${publicUrl()}/unsubscribe/${encodeURIComponent(token)}`;

/** A person's own unsubscribe link for a workspace, which also opens their preferences. It never expires. */
export async function personalUnsubscribeUrl(workspaceId: string, address: string): Promise<string> {
  return `${publicUrl()}/unsubscribe/${await ensureLeaveLink(workspaceId, addressKey(address))}.${workspaceId}`;
}

/** The request with its recipient's unsubscribe link, also in place of `{{unsubscribe_url}}` in the bodies. */
export async function withUnsubscribeLink<Body extends Pick<SendEmailRequest, 'html' | 'text' | 'unsubscribe_url'>>(
  body: Body,
  workspaceId: string,
  address: string,
): Promise<Body> {
  const url = await personalUnsubscribeUrl(workspaceId, address);
  const filled = (text: string | undefined) => text?.replaceAll(/\{\{\s*unsubscribe_url\s*\}\}/g, () => url);
  return { ...body, html: filled(body.html), text: filled(body.text), unsubscribe_url: url };
}

/** The person an unsubscribe link was made for and, if a campaign brought it, their position among its recipients. */
export interface UnsubscribeLink {
  readonly workspaceId: string;
  readonly email: string;
  readonly campaignId?: string | undefined;
  readonly listPosition?: { readonly chunk: number; readonly position: number } | undefined;
}

/** Reads the token after `/unsubscribe/`: a person's own link or the signed one of a campaign. Null for anything else. */
export async function readUnsubscribeLink(token: string, now: Date): Promise<UnsubscribeLink | null> {
  const [linkId = '', workspaceId = '', ...rest] = token.split('.');
  // A signed link has its signature here, which is longer than an id.
  if (rest.length === 0 && isId('ws', workspaceId)) {
    const email = await findLeaver(workspaceId, linkId);
    if (email !== null) addLogFields({ workspace_id: workspaceId });
    return email === null ? null : { workspaceId, email };
  }
  const read = await readLink('unsubscribe', token, now);
  return read.ok ? read.link : null;
}
