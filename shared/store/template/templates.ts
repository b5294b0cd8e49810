import type { Template } from '../../domain/template/template.ts';
import { inParallel } from '../../platform/parallel.ts';
import { GetCommand, QueryCommand } from '../dynamodb/commands.ts';
import { oneLess, oneMore } from '../table/bounded.ts';
import { changeItem } from '../table/change.ts';
import { templateCountKey, templateEndKey, templateKey, templatePartition, templatesPartition } from '../table/keys.ts';
import { deleteExisting, documents, queryAll, tableName } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { type TemplateAttributes, templateItem, templateOf } from './templateItem.ts';
import { type PackedVersion, versionParts } from './versions.ts';

const deletesAtOnce = 16;

/** Writes a new template; false when the workspace has `limit` of them already, however many calls race for the last. */
export async function addTemplate(template: Template, version: PackedVersion, limit: number): Promise<boolean> {
  const count = oneMore(templateCountKey(template.workspaceId), 'templates', limit);
  const put = { Put: { TableName: tableName(), Item: templateItem(template) } };
  return (await transact([count, put, ...versionParts(template, version)])) === null;
}

/** One template without what it says, strongly consistent. Null when there is none. */
export async function getTemplate(workspaceId: string, id: string): Promise<Template | null> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: templateKey(workspaceId, id), ConsistentRead: true }),
  );
  return Item ? templateOf(Item) : null;
}

/** A page, newest first: ids sort by the time of their creation. */
export async function listTemplates(
  workspaceId: string,
  { limit, after = 'tpl_~' }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly entries: readonly Template[]; readonly next: string | null }> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND sk < :after',
      ExpressionAttributeValues: { ':pk': templatesPartition(workspaceId), ':after': after },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit + 1,
    }),
  );
  const entries = Items.slice(0, limit).map(templateOf);
  return { entries, next: Items.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/** Gives it another name; null when it is gone. */
export async function renameTemplate({ workspaceId, id }: Template, name: string, at: Date): Promise<Template | null> {
  const set: TemplateAttributes = { name, updated_at: at.toISOString() };
  const item = await changeItem(templateKey(workspaceId, id), { set });
  return item && templateOf(item);
}

/** Writes the next version of `before`; false when it is gone, or was changed meanwhile. */
export async function putNextVersion(before: Template, after: Template, version: PackedVersion): Promise<boolean> {
  const put = {
    Put: {
      TableName: tableName(),
      Item: templateItem(after),
      ConditionExpression: 'version = :version AND #name = :name',
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: { ':version': before.version, ':name': before.name },
    },
  };
  return (await transact([put, ...versionParts(after, version)])) === null;
}

/**
 * Deletes a template and all its versions; false when there is none. From the first write on no send finds it: what a
 * crash leaves of its versions lies behind its end.
 */
export async function deleteTemplate(workspaceId: string, id: string): Promise<boolean> {
  const end = templateEndKey(workspaceId, id);
  const remove = {
    Delete: {
      TableName: tableName(),
      Key: templateKey(workspaceId, id),
      ConditionExpression: 'attribute_exists(pk)',
    },
  };
  const put = { Put: { TableName: tableName(), Item: { ...end, ended: true } } };
  if ((await transact([oneLess(templateCountKey(workspaceId), 'templates'), remove, put])) !== null) return false;
  const versions = await queryAll({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': templatePartition(workspaceId, id) },
    ProjectionExpression: 'pk, sk',
  });
  const keys = versions.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })).filter(({ sk }) => sk !== end.sk);
  await inParallel(deletesAtOnce, keys, deleteExisting);
  return true;
}
