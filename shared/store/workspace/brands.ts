import * as z from 'zod';
import { type Brand, logoTypes } from '../../domain/workspace/brand.ts';
import { GetCommand, PutCommand } from '../dynamodb/commands.ts';
import { brandKey } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

const record = z.object({
  color: z.string().nullable(),
  logo: z.object({ type: z.enum(logoTypes), content: z.string() }).nullable(),
});

/** Apart from the workspace, which every send reads. */
export async function putBrand(workspaceId: string, { color, logo }: Brand): Promise<void> {
  await documents.send(new PutCommand({ TableName: tableName(), Item: { ...brandKey(workspaceId), color, logo } }));
}

export async function getBrand(workspaceId: string): Promise<Brand> {
  const { Item } = await documents.send(new GetCommand({ TableName: tableName(), Key: brandKey(workspaceId) }));
  return Item ? record.parse(Item) : { color: null, logo: null };
}
