import { randomBytes } from 'node:crypto';
import type { PlanName } from '../../domain/sending/plan.ts';
import { createId } from '../../domain/token/identifier.ts';
import type { NewWorkspace } from '../../domain/workspace/workspace.ts';
import type { Language } from '../../language/languages.ts';
import { putWorkspace } from '../../store/workspace/workspaces.ts';

/** A new workspace with nothing in it. Its public id appears in the address of its sign-up form and opens nothing else. */
export async function createWorkspace(
  wanted: { name: string; plan: PlanName; language: Language },
  now: Date,
): Promise<NewWorkspace> {
  const workspace = {
    ...wanted,
    id: createId('ws', now),
    publicId: randomBytes(12).toString('base64url'),
    createdAt: now.toISOString(),
  };
  await putWorkspace(workspace);
  return workspace;
}
