import type { DayCounts } from '../../domain/sending/reputation.ts';
import type { NewWorkspace, Suspension, Workspace, WorkspaceSettings } from '../../domain/workspace/workspace.ts';
import { GetCommand, QueryCommand, UpdateCommand } from '../dynamodb/commands.ts';
import { type Change, changeItem } from '../table/change.ts';
import { domainKey, publicIdKey, registerKey, workspaceKey, workspacePartition } from '../table/keys.ts';
import { deleteExisting, documents, type Item, queryAll, tableName } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { newWorkspaceItem, settingAttributes, workspaceOf } from './workspaceItem.ts';

/** One query: settings, domains and senders. Null when there is no such workspace. */
export async function getWorkspace(workspaceId: string): Promise<Workspace | null> {
  const { Items } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': workspacePartition(workspaceId) },
    }),
  );
  return workspaceOf(Items ?? []);
}

/** The workspace, its line in the register and its public id, in one transaction. */
export async function putWorkspace(workspace: NewWorkspace): Promise<void> {
  const put = (item: Item) => ({
    Put: { TableName: tableName(), Item: item, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  const refused = await transact([
    put(newWorkspaceItem(workspace)),
    put({ ...registerKey(workspace.id), workspace_id: workspace.id, name: workspace.name }),
    put({ ...publicIdKey(workspace.publicId), workspace_id: workspace.id }),
  ]);
  if (refused) throw new Error('There is a workspace of this id already.');
}

/** Ids and names of every workspace of the deployment. */
export async function listWorkspaces(): Promise<{ id: string; name: string }[]> {
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': registerKey('').pk },
  });
  return items.map((item) => ({ id: String(item.workspace_id), name: String(item.name) }));
}

/** The workspace that a public sign-up form belongs to, null when the id is unknown. */
export async function findWorkspaceByPublicId(publicId: string): Promise<string | null> {
  const { Item } = await documents.send(new GetCommand({ TableName: tableName(), Key: publicIdKey(publicId) }));
  return Item ? String(Item.workspace_id) : null;
}

/** Adds a domain or changes its state; `verifiedAt` null means that SES has not confirmed it yet. */
export async function putDomain(workspaceId: string, name: string, verifiedAt: Date | null, now: Date): Promise<void> {
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: domainKey(workspaceId, name),
      UpdateExpression: 'SET #domain = :domain, verified_at = :verified, created_at = if_not_exists(created_at, :now)',
      ExpressionAttributeNames: { '#domain': 'domain' },
      ExpressionAttributeValues: {
        ':domain': name,
        ':verified': verifiedAt?.toISOString() ?? null,
        ':now': now.toISOString(),
      },
    }),
  );
}

/** The workspace and its line in the register, in one transaction; false when there is no such workspace. */
export async function renameWorkspace(workspaceId: string, name: string): Promise<boolean> {
  const parts = [workspaceKey(workspaceId), registerKey(workspaceId)].map((Key) => ({
    Update: {
      TableName: tableName(),
      Key,
      UpdateExpression: 'SET #name = :name',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: { ':name': name },
    },
  }));
  return (await transact(parts)) === null;
}

/** Takes a domain from a workspace; false when it has none of this name. */
export async function deleteDomain(workspaceId: string, name: string): Promise<boolean> {
  return deleteExisting(domainKey(workspaceId, name));
}

/** Changes the settings that are given and leaves the others; false when there is no such workspace. */
export async function updateSettings(workspaceId: string, settings: Partial<WorkspaceSettings>): Promise<boolean> {
  const set = settingAttributes(settings);
  if (Object.keys(set).length === 0) return true;
  return (await changeItem(workspaceKey(workspaceId), { set })) !== null;
}

/** Suspends sending; false when it is suspended already: the first date and rates stay. */
export async function suspend(workspaceId: string, suspension: Suspension): Promise<boolean> {
  const { since, bounceRate, complaintRate } = suspension;
  const set = { suspension: { since, bounce_rate: bounceRate, complaint_rate: complaintRate } };
  return (await changeItem(workspaceKey(workspaceId), { set, expect: { suspension: undefined } })) !== null;
}

/**
 * Lifts a suspension. What was counted up to `baseline` no longer counts, or the next bounce would suspend again. False
 * when there is no such workspace.
 */
export async function resume(workspaceId: string, baseline: DayCounts): Promise<boolean> {
  const change: Change = { set: { reputation_baseline: baseline }, remove: ['suspension'] };
  return (await changeItem(workspaceKey(workspaceId), change)) !== null;
}
