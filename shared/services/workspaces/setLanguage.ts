import type { Language } from '../../language/languages.ts';
import { updateSettings } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from './existing.ts';

/** Changes the language of a workspace's messages, and of its pages where a reader's browser asks for none. */
export const setLanguage = operatorVerb(
  { action: 'language.set', needs: 'change', subject: ({ language }) => language },
  async (context: Context, { language }: { readonly language: Language }) => {
    const { id, name } = await existingWorkspace(context.workspaceId);
    await updateSettings(id, { language });
    return { object: 'workspace' as const, id, name, language };
  },
);
