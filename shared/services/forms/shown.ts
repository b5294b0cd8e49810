import type { Workspace } from '../../domain/workspace/workspace.ts';
import { signUpUrl } from '../links.ts';

/** The sign-up form of a workspace as the operator sees it: its address, and whose pages may show it in a frame. */
export function shownForm({ id, publicId, form = {} }: Workspace, origins: readonly string[]) {
  return {
    object: 'form' as const,
    workspace_id: id,
    url: signUpUrl(publicId),
    origins,
    text: form.text ?? null,
    privacy_url: form.privacyUrl ?? null,
    redirect_url: form.redirectUrl ?? null,
    language: form.language ?? null,
    fields: (form.fields ?? []).map(({ name, label, choices = [] }) => ({ name, label, choices })),
  };
}

export type ShownForm = ReturnType<typeof shownForm>;
