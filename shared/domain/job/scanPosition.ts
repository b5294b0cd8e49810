import * as z from 'zod';

/** Where a part of a table is read next: after the item of a key, or not at all any more. */
const scanPlace = z.union([z.enum(['start', 'end']), z.object({ pk: z.string(), sk: z.string() })]);
export type ScanPlace = Readonly<z.output<typeof scanPlace>>;

/**
 * Where a scan stands in each of the parts that it reads side by side. A key may hold an address: it is kept no longer
 * than the scan takes.
 */
export const scanPosition = z.array(scanPlace).readonly();
export type ScanPosition = z.output<typeof scanPosition>;
