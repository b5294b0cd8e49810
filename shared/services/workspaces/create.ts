import { randomBytes } from 'node:crypto';
import type { PlanName } from '../../domain/sending/plan.ts';
import { createId } from '../../domain/token/identifier.ts';
import type { Language } from '../../language/languages.ts';
import { putWorkspace } from '../../store/workspace/workspaces.ts';
import type { DeploymentContext } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { mirrorPlatform } from '../sweep/mirrorPlatform.ts';

/** A new workspace with nothing in it. Its public id appears in the address of its sign-up form and opens nothing else. */
export const createWorkspace = operatorVerb(
  { action: 'workspace.create', needs: 'own', subject: ({ name }) => name },
  async (
    context: DeploymentContext,
    { name, plan, language }: { readonly name: string; readonly plan: PlanName; readonly language: Language },
  ) => {
    const id = createId('ws', context.now);
    const publicId = randomBytes(12).toString('base64url');
    const createdAt = context.now.toISOString();
    // Of a table without a past this is two reads, and its first sends need not look twice.
    await mirrorPlatform(context.now);
    await putWorkspace({ id, publicId, name, plan, language, createdAt });
    return { object: 'workspace' as const, id, name, public_id: publicId, plan, language, created_at: createdAt };
  },
);
