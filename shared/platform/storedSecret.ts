import { randomBytes } from 'node:crypto';
import * as z from 'zod';

const secret = z.string().min(32);

/**
 * The service secret as it is stored: the current one signs and seals, the previous ones (newest first) verify and open
 * for ever, because links in mail live for years. The release before this one knew a single `previous`.
 */
const storedSecretSchema = z.looseObject({
  current: secret,
  previous: z
    .union([z.array(secret), secret.transform((only) => [only])])
    .nullish()
    .transform((previous) => previous ?? []),
});

export type StoredSecret = z.output<typeof storedSecretSchema>;

/** Reads what is stored; throws when it is none, without saying what stands there. */
export function parseStoredSecret(text: string): StoredSecret {
  try {
    return storedSecretSchema.parse(JSON.parse(text));
  } catch {
    throw new Error('The service secret is not {"current": "…", "previous": ["…"]} with at least 32 characters each.');
  }
}

/** All of them, the current one first. */
export const generations = ({ current, previous }: StoredSecret): readonly string[] => [current, ...previous];

/** A new current one of 64 characters; every former one is kept. */
export function rotated({ current, previous, ...others }: StoredSecret): StoredSecret {
  return { ...others, current: randomBytes(48).toString('base64url'), previous: [current, ...previous] };
}
