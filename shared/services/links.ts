import {
  decodeLink,
  encodeLink,
  type Link,
  type LinkPurpose,
  type LinkSubject,
  linkSeconds,
} from '../domain/token/linkToken.ts';
import { addSeconds } from '../platform/clock.ts';
import { publicUrl } from '../platform/config.ts';
import { addLogFields } from '../platform/logContext.ts';
import { sign, verify } from '../platform/secret.ts';

/** A signed, URL-safe token; the same subject and moment make the same token. */
export async function createLinkToken(purpose: LinkPurpose, subject: LinkSubject, issuedAt: Date): Promise<string> {
  const seconds = linkSeconds[purpose];
  const expiresAt = seconds === null ? null : addSeconds(issuedAt, seconds);
  const payload = encodeLink({ ...subject, issuedAt, expiresAt });
  return `${payload}.${await sign('links', signed(purpose, payload))}`;
}

/** Where the link leads: `{base_url}/confirm/<token>` or `{base_url}/unsubscribe/<token>`. */
export async function createLink(purpose: LinkPurpose, subject: LinkSubject, issuedAt: Date): Promise<string> {
  return `${publicUrl()}/${purpose}/${await createLinkToken(purpose, subject, issuedAt)}`;
}

/** Where a person signs up by the public form, the only way back after an unsubscription. */
export function signUpUrl(publicId: string): string {
  return `${publicUrl()}/join/${publicId}`;
}

/** The page where somebody says what they want of a workspace's mail, by the token of their link to leave. */
export const preferencesUrl = (token: string): string => `${publicUrl()}/preferences/${encodeURIComponent(token)}`;
export const unsubscribeUrl = (token: string): string => `${publicUrl()}/unsubscribe/${encodeURIComponent(token)}`;

export type LinkResult =
  | { readonly ok: true; readonly link: Link }
  | { readonly ok: false; readonly problem: 'tampered' }
  /** The link is genuine, only too old: its page may still speak to the person it was for. */
  | { readonly ok: false; readonly problem: 'expired'; readonly link: Link };

/** Reads a token from outside; says nothing of whether it was used, which only the subscriber's state can tell. */
export async function readLink(purpose: LinkPurpose, token: string, now: Date): Promise<LinkResult> {
  const [payload = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !(await verify('links', signed(purpose, payload), signature))) {
    return { ok: false, problem: 'tampered' };
  }
  const link = decodeLink(payload);
  addLogFields({ workspace_id: link.workspaceId });
  if (link.expiresAt && link.expiresAt <= now) return { ok: false, problem: 'expired', link };
  return { ok: true, link };
}

const signed = (purpose: LinkPurpose, payload: string): string => `${purpose}.${payload}`;
