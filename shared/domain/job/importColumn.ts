import * as z from 'zod';
import { suppressionReasons } from '../person/suppression.ts';

/** How somebody stands where a file comes from. */
export const standings = ['subscribed', 'pending', ...suppressionReasons] as const;
export type Standing = (typeof standings)[number];

/** What a column of a file can be besides a field. `ignored` is left out. */
export const plainColumns = [
  'email',
  'firstName',
  'lastName',
  'name',
  'tags',
  'status',
  'reason',
  'attributes',
  'unsubscribed',
  'ignored',
] as const;

export const importColumn = z.union([
  z.object({ kind: z.enum(plainColumns) }),
  z.object({ kind: z.literal('field'), name: z.string() }),
  /** That it is there says how everybody in the file stands where it comes from. */
  z.object({ kind: z.literal('everybody'), standing: z.enum(standings) }),
]);

export type Column = Readonly<z.output<typeof importColumn>>;
