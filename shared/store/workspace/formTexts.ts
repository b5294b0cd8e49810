import { createHash } from 'node:crypto';
import * as z from 'zod';
import { UpdateCommand } from '../dynamodb/commands.ts';
import { formTextKey } from '../table/keys.ts';
import { batchGet, documents, tableName } from '../table/table.ts';

/** What a sign-up form said to whoever filled it in, in which language. */
export interface FormText {
  readonly text: string;
  readonly language: string;
}

const record = z.object({ text: z.string(), language: z.string() });

/** A container writes each text once. */
const written = new Set<string>();

/** Keeps a text for good and answers its version, which is its hash: the same text has the same one. */
export async function keepFormText(workspaceId: string, { text, language }: FormText, now: Date): Promise<string> {
  const version = createHash('sha256').update(`${language}\n${text}`).digest('hex').slice(0, 12);
  const name = `${tableName()}#${workspaceId}#${version}`;
  if (written.has(name)) return version;
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: formTextKey(workspaceId, version),
      UpdateExpression: 'SET #text = :text, #language = :language, created_at = if_not_exists(created_at, :now)',
      ExpressionAttributeNames: { '#text': 'text', '#language': 'language' },
      ExpressionAttributeValues: { ':text': text, ':language': language, ':now': now.toISOString() },
    }),
  );
  written.add(name);
  return version;
}

/** The texts of these versions, by version; what is unknown is left out. */
export async function getFormTexts(workspaceId: string, versions: readonly string[]): Promise<Map<string, FormText>> {
  const keys = [...new Set(versions)].map((version) => formTextKey(workspaceId, version));
  const items = await batchGet(keys, { consistent: false });
  return new Map(items.map((item) => [String(item.sk), record.parse(item)]));
}
