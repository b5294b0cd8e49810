/** Links that a person follows from a mail. Each purpose signs apart: a link of one is worth nothing for another. */
export type LinkPurpose = 'confirm' | 'unsubscribe';

/** Whom a link acts for. `email` is in the form of `addressKey`. */
export interface LinkSubject {
  readonly workspaceId: string;
  readonly email: string;
  /** `confirm`: the request for consent that this link answers; another request makes it void. */
  readonly confirmationId?: string | undefined;
  /** `unsubscribe`: the campaign whose message carried the link, if it was one. */
  readonly campaignId?: string | undefined;
  /** Where the person stands in that campaign's frozen list. */
  readonly place?: { readonly chunk: number; readonly position: number } | undefined;
}

export interface Link extends LinkSubject {
  readonly issuedAt: Date;
  /** Null for a link that never expires. */
  readonly expiresAt: Date | null;
}

/** A confirmation may be waited for a week; an unsubscribe link must work as long as the mail that carries it exists. */
export const linkSeconds: Readonly<Record<LinkPurpose, number | null>> = { confirm: 7 * 86_400, unsubscribe: null };

/** The URL-safe text that is signed: base64url of a short JSON list, times in Unix seconds. */
export function encodeLink(link: Link): string {
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
  const parts = [
    link.workspaceId,
    link.email,
    seconds(link.issuedAt),
    link.expiresAt && seconds(link.expiresAt),
    link.confirmationId ?? null,
    link.campaignId ?? null,
    ...(link.place ? [link.place.chunk, link.place.position] : []),
  ];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Only for a payload whose signature was found right: what it holds was written by `encodeLink`. */
export function decodeLink(payload: string): Link {
  const [workspaceId, email, issuedAt, expiresAt, confirmationId, campaignId, chunk, position] = JSON.parse(
    Buffer.from(payload, 'base64url').toString('utf8'),
  ) as [string, string, number, number | null, string | null, string | null, number?, number?];
  return {
    workspaceId,
    email,
    issuedAt: new Date(issuedAt * 1000),
    expiresAt: expiresAt === null ? null : new Date(expiresAt * 1000),
    confirmationId: confirmationId ?? undefined,
    campaignId: campaignId ?? undefined,
    place: chunk === undefined || position === undefined ? undefined : { chunk, position },
  };
}
