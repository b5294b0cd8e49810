import type { Language } from '../../language/languages.ts';
import { parseWebOrigin } from '../network/webOrigin.ts';

/** How the sign-up form of a workspace differs from the plain one. */
export interface FormSettings {
  /** The workspace's own words, above the service's. */
  readonly text?: string | undefined;
  /** Where the workspace says what becomes of what is given. */
  readonly privacyUrl?: string | undefined;
  /** Where a person is sent once the form was taken: a page of an origin that may show the form. */
  readonly redirectUrl?: string | undefined;
  /** The one language that it speaks; else that of the reader's browser. */
  readonly language?: Language | undefined;
  /** What it asks for besides address and names, in this order. */
  readonly fields?: readonly FormField[] | undefined;
}

/** A question of the workspace's own; the answer becomes the subscriber's custom field of this name. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  /** What there is to choose from; none is a line to write on. */
  readonly choices?: readonly string[] | undefined;
}

/** The form's own questions, which are read with every send of the workspace: few and short. */
export const formFieldBounds = { fields: 5, label: 60, choices: 10, answer: 200 } as const;

/** The origin of a web page's address as `parseWebOrigin` takes it; null for one that no link of ours may lead to. */
export function originOfPage(address: string): string | null {
  if (!URL.canParse(address) || /[\s"'<>\\]/.test(address)) return null;
  const { origin, username, password } = new URL(address);
  return username || password ? null : parseWebOrigin(origin);
}

/** Where to send a person who has joined; null when there is nowhere, or its origin is not allowed any more. */
export function redirectOf({ redirectUrl }: FormSettings, origins: readonly string[]): string | null {
  const origin = redirectUrl === undefined ? null : originOfPage(redirectUrl);
  return redirectUrl !== undefined && origin !== null && origins.includes(origin) ? new URL(redirectUrl).href : null;
}
