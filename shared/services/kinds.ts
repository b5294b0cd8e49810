import { ServiceError, ValidationError } from '../contract/errors.ts';
import type { MailKind } from '../domain/workspace/workspace.ts';
import { textsOf } from '../language/text.ts';
import { updateSettings } from '../store/workspace/workspaces.ts';
import type { Context } from './context.ts';
import { existingWorkspace } from './existingWorkspace.ts';
import { operatorVerb, requireOperator } from './operatorVerb.ts';

/** The kinds of mail that people can leave one by one. */
export async function listKinds(context: Context): Promise<readonly MailKind[]> {
  requireOperator(context, 'read');
  return (await existingWorkspace(context.workspaceId)).kinds;
}

/** Every send reads the kinds together with the workspace, so they are few and short. */
const maxKinds = 20;
const maxNameLength = 80;
const tagPattern = /^[A-Za-z0-9_-]{1,256}:[A-Za-z0-9_-]{1,256}$/;

const texts = textsOf({
  tag: {
    en: 'must be the name and value of a tag, as in "category:newsletter"',
    fr: 'doit être le nom et la valeur d’une étiquette, comme « category:newsletter »',
  },
  name: {
    en: `must be 1 to ${maxNameLength} characters without line breaks`,
    fr: `doit compter de 1 à ${maxNameLength} caractères sans saut de ligne`,
  },
  tooMany: { en: `a workspace offers at most ${maxKinds} topics`, fr: `un espace propose au plus ${maxKinds} types` },
});

/** Adds a kind of mail that people can leave, or renames it. */
export const setKind = /* @__PURE__ */ operatorVerb(
  { action: 'kind.set', needs: 'change', subject: ({ tag }) => tag },
  async (context: Context, { tag, name }: MailKind): Promise<readonly MailKind[]> => {
    const { id, kinds } = await existingWorkspace(context.workspaceId);
    const isKnown = kinds.some((kind) => kind.tag === tag);
    const isName = name.trim().length > 0 && [...name].length <= maxNameLength && !/\p{Cc}/u.test(name);
    const issues = [
      ...(tagPattern.test(tag) ? [] : [{ path: 'tag', text: texts.tag }]),
      ...(isName ? [] : [{ path: 'name', text: texts.name }]),
      ...(isKnown || kinds.length < maxKinds ? [] : [{ path: 'tag', text: texts.tooMany }]),
    ];
    if (issues.length > 0) throw new ValidationError(issues);
    const changed = isKnown
      ? kinds.map((kind) => (kind.tag === tag ? { tag, name } : kind))
      : [...kinds, { tag, name }];
    await updateSettings(id, { kinds: changed });
    return changed;
  },
);

/** Removes a kind: everybody who has not left the workspace gets its mail again. Their choices stay stored. */
export const removeKind = /* @__PURE__ */ operatorVerb(
  { action: 'kind.remove', needs: 'change', subject: ({ tag }) => tag },
  async (context: Context, { tag }: Pick<MailKind, 'tag'>): Promise<readonly MailKind[]> => {
    const { id, kinds } = await existingWorkspace(context.workspaceId);
    const changed = kinds.filter((kind) => kind.tag !== tag);
    if (changed.length === kinds.length) throw new ServiceError('not_found');
    await updateSettings(id, { kinds: changed });
    return changed;
  },
);
