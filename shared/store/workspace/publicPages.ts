import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Brand, logoTypes } from '../../domain/workspace/brand.ts';
import type { MailBrand } from '../../domain/workspace/mailBrand.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { batchGet } from '../table/batches.ts';
import { brandKey, formTextKey, workspaceKey } from '../table/keys.ts';
import { type Consistency, getItem, tableName } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { changePart, putPart, upsertItem } from '../table/write.ts';
import type { WorkspaceRecord } from './workspaces.ts';

const brandRecord = z.object({
  color: z.string().nullable(),
  logo: z.object({ type: z.enum(logoTypes), content: z.string() }).nullable(),
});

/**
 * The brand of the pages and that of the mail, in one transaction; false when the brand has changed since the workspace
 * was read. What mail needs is in the workspace, which every send reads; the logo of the pages is too large for that.
 */
export async function putBrand(
  { id, brandChanges }: Pick<Workspace, 'id' | 'brandChanges'>,
  { color, logo }: Brand,
  mailBrand: MailBrand,
): Promise<boolean> {
  const refused = await transact([
    putPart<z.input<typeof brandRecord>>(brandKey(id), { color, logo }),
    changePart<WorkspaceRecord>(workspaceKey(id), {
      set: { mail_brand: mailBrand, brand_changes: (brandChanges ?? 0) + 1 },
      expect: { brand_changes: brandChanges, ended_at: undefined },
    }),
  ]);
  return refused === null;
}

export async function getBrand(workspaceId: string, consistency: Consistency = 'eventual'): Promise<Brand> {
  const item = await getItem(brandKey(workspaceId), consistency);
  return item ? brandRecord.parse(item) : { color: null, logo: null };
}

/** The text of a sign-up form and its language. */
export interface FormText {
  readonly text: string;
  readonly language: string;
}

const formText = z.object({ text: z.string(), language: z.string() });

interface FormTextRecord extends FormText {
  readonly created_at: string;
}

/** A process writes each text only once. */
const written = new Set<string>();

/** Stores a text for good and returns its version, which is its hash: equal texts have the same version. */
export async function keepFormText(workspaceId: string, { text, language }: FormText, now: Date): Promise<string> {
  const version = createHash('sha256').update(`${language}\n${text}`).digest('hex').slice(0, 12);
  const name = `${tableName()}#${workspaceId}#${version}`;
  if (written.has(name)) return version;
  await upsertItem<FormTextRecord>(formTextKey(workspaceId, version), {
    set: { text, language },
    setIfAbsent: { created_at: now.toISOString() },
  });
  written.add(name);
  return version;
}

/** The texts of these versions; unknown ones are left out. */
export async function getFormTexts(workspaceId: string, versions: readonly string[]): Promise<Map<string, FormText>> {
  const keys = [...new Set(versions)].map((version) => formTextKey(workspaceId, version));
  const items = await batchGet(keys, { consistent: false });
  return new Map(items.map((item) => [String(item.sk), formText.parse(item)]));
}
