import type { Template, TemplateMessage, TemplateSource } from '../../domain/template/template.ts';
import { GetCommand } from '../dynamodb/commands.ts';
import { templateMessageKey, templateSourceKey } from '../table/keys.ts';
import { pack, unpack } from '../table/packed.ts';
import { documents, type TransactionPart, tableName } from '../table/table.ts';

/** What a version says, compressed: as its author wrote it, and as a send reads it. */
export interface PackedVersion {
  readonly source: Buffer;
  readonly message: Buffer;
}

/** An item holds 400 KB at most (DynamoDB's limit), its keys included. */
const mostBytes = 380_000;

/** Null when it is too large to be kept. */
export async function packVersion(source: TemplateSource, message: TemplateMessage): Promise<PackedVersion | null> {
  const packed = { source: await pack(source), message: await pack(message) };
  return Object.values(packed).every(({ length }) => length <= mostBytes) ? packed : null;
}

/** The writes of a version, which is never changed. */
export function versionParts({ workspaceId, id, version }: Template, { source, message }: PackedVersion) {
  const put = (Item: object): TransactionPart => ({
    Put: { TableName: tableName(), Item: { ...Item, version }, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  return [
    put({ ...templateSourceKey(workspaceId, id, version), body: source }),
    put({ ...templateMessageKey(workspaceId, id, version), body: message }),
  ];
}

/** Null when there is no such version. */
export async function getSource(workspaceId: string, id: string, version: number): Promise<TemplateSource | null> {
  const Key = templateSourceKey(workspaceId, id, version);
  const { Item } = await documents.send(new GetCommand({ TableName: tableName(), Key, ConsistentRead: true }));
  return Item ? unpack<TemplateSource>(Item.body as Uint8Array) : null;
}
