import * as z from 'zod';
import type { Template, TemplateMessage, TemplateSource } from '../domain/template/template.ts';
import { deleteItems } from './table/batches.ts';
import {
  templateCountKey,
  templateEndKey,
  templateKey,
  templateMessageKey,
  templateMessagePrefix,
  templatePartition,
  templateSourceKey,
  templatesPartition,
} from './table/keys.ts';
import {
  getItem,
  type Item,
  keyOfItem,
  pack,
  queryAll,
  queryItems,
  type TransactionPart,
  unpack,
} from './table/table.ts';
import { transact } from './table/transaction.ts';
import { changeItem, deletePart, oneLess, oneMore, putPart } from './table/write.ts';

const record = z.object({
  workspace_id: z.string(),
  template_id: z.string(),
  name: z.string(),
  subject: z.string().nullish(),
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
});

type TemplateRecord = z.input<typeof record>;

function templateOf(item: Item): Template {
  const { workspace_id, template_id, created_at, updated_at, subject, ...rest } = record.parse(item);
  return {
    ...rest,
    workspaceId: workspace_id,
    id: template_id,
    subject: subject ?? null,
    createdAt: created_at,
    updatedAt: updated_at,
  };
}

const recordOf = ({ workspaceId, id, createdAt, updatedAt, ...template }: Template): TemplateRecord => ({
  ...template,
  workspace_id: workspaceId,
  template_id: id,
  created_at: createdAt,
  updated_at: updatedAt,
});

interface VersionRecord {
  readonly version: number;
  readonly body: Uint8Array;
}

/** The content of a version, compressed: as written, and as a send uses it. */
export interface PackedVersion {
  readonly source: Buffer;
  readonly message: Buffer;
}

/** DynamoDB's limit for an item is 400 KB, including its keys. */
const maxBytes = 380_000;

/** Null when it is too large for an item. */
export async function packVersion(source: TemplateSource, message: TemplateMessage): Promise<PackedVersion | null> {
  const packed = { source: await pack(source), message: await pack(message) };
  return Object.values(packed).every(({ length }) => length <= maxBytes) ? packed : null;
}

/** The writes of a version. Versions never change. */
function versionParts({ workspaceId, id, version }: Template, packed: PackedVersion): TransactionPart[] {
  const isNew = { if: [['pk', 'absent']] } as const;
  const { source, message } = packed;
  return [
    putPart<VersionRecord>(templateSourceKey(workspaceId, id, version), { version, body: source }, isNew),
    putPart<VersionRecord>(templateMessageKey(workspaceId, id, version), { version, body: message }, isNew),
  ];
}

/** Null when there is no such version. */
export async function getSource(workspaceId: string, id: string, version: number): Promise<TemplateSource | null> {
  const item = await getItem(templateSourceKey(workspaceId, id, version));
  return item && unpack<TemplateSource>(item.body as Uint8Array);
}

/**
 * The message of the newest version: one query, strongly consistent. Null when there is no such template (any more).
 */
export async function getNewestMessage(
  workspaceId: string,
  id: string,
): Promise<{ readonly version: number; readonly message: TemplateMessage } | null> {
  const [newest] = await queryItems({
    ...{ partition: templatePartition(workspaceId, id), sort: { prefix: templateMessagePrefix } },
    ...{ order: 'descending', consistency: 'strong', limit: 1 },
  });
  if (!newest || newest.ended) return null;
  return { version: Number(newest.version), message: await unpack<TemplateMessage>(newest.body as Uint8Array) };
}

/** The message of a version, or the newest; null when the template was deleted, or never had that version. */
export async function getMessage(
  workspaceId: string,
  id: string,
  version: number | undefined,
): Promise<Awaited<ReturnType<typeof getNewestMessage>>> {
  const newest = await getNewestMessage(workspaceId, id);
  if (!newest || version === undefined || version === newest.version) return newest;
  const item = await getItem(templateMessageKey(workspaceId, id, version));
  return item && { version, message: await unpack<TemplateMessage>(item.body as Uint8Array) };
}

const templateKeyOf = ({ workspaceId, id }: Pick<Template, 'workspaceId' | 'id'>) => templateKey(workspaceId, id);

/** Stores a new template; false when the workspace has `limit` of them, also when calls compete for the last one. */
export async function addTemplate(template: Template, version: PackedVersion, limit: number): Promise<boolean> {
  const count = oneMore(templateCountKey(template.workspaceId), 'templates', limit);
  const put = putPart<TemplateRecord>(templateKeyOf(template), recordOf(template));
  return (await transact([count, put, ...versionParts(template, version)])) === null;
}

/** One template without its content, strongly consistent. Null when there is none. */
export async function getTemplate(workspaceId: string, id: string): Promise<Template | null> {
  const item = await getItem(templateKey(workspaceId, id));
  return item && templateOf(item);
}

/** A page, newest first: ids sort by the time of their creation. */
export async function listTemplates(
  workspaceId: string,
  { limit, after = 'tpl_~' }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly entries: readonly Template[]; readonly next: string | null }> {
  const items = await queryItems({
    ...{ partition: templatesPartition(workspaceId), sort: { below: after } },
    ...{ order: 'descending', consistency: 'strong', limit: limit + 1 },
  });
  const entries = items.slice(0, limit).map(templateOf);
  return { entries, next: items.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/** Renames a template; null when it was deleted. */
export async function renameTemplate(template: Template, name: string, at: Date): Promise<Template | null> {
  const set = { name, updated_at: at.toISOString() };
  const item = await changeItem<TemplateRecord>(templateKeyOf(template), { set });
  return item && templateOf(item);
}

/** Writes the version after `before`; false when the template was deleted or changed meanwhile. */
export async function putNextVersion(before: Template, after: Template, version: PackedVersion): Promise<boolean> {
  const expect = { version: before.version, name: before.name };
  const put = putPart<TemplateRecord>(templateKeyOf(before), recordOf(after), { expect });
  return (await transact([put, ...versionParts(after, version)])) === null;
}

/**
 * Replaces the message of a version, which was rendered again from the same source. Nothing happens when the template is
 * gone, or when it would be too large for an item.
 */
export async function putMessage(
  { workspaceId, id, version }: Template,
  source: TemplateSource,
  message: TemplateMessage,
): Promise<void> {
  const packed = await packVersion(source, message);
  if (!packed) return;
  await changeItem<VersionRecord>(templateMessageKey(workspaceId, id, version), {
    set: { body: packed.message },
    if: [['pk', 'exists']],
  });
}

/**
 * Deletes a template and all its versions; false when there is none. From the first write on no send finds it: versions
 * that a crash leaves come after the end mark.
 */
export async function deleteTemplate(workspaceId: string, id: string): Promise<boolean> {
  const end = templateEndKey(workspaceId, id);
  const refused = await transact([
    oneLess(templateCountKey(workspaceId), 'templates'),
    deletePart(templateKey(workspaceId, id), { if: [['pk', 'exists']] }),
    putPart<{ readonly ended: true }>(end, { ended: true }),
  ]);
  if (refused !== null) return false;
  const partition = templatePartition(workspaceId, id);
  const versions = (await queryAll({ partition, attributes: [['pk'], ['sk']] })).map(keyOfItem);
  await deleteItems(versions.filter(({ sk }) => sk !== end.sk));
  return true;
}
