import { ValidationError } from '../../contract/errors.ts';
import type { MailKind } from '../../domain/workspace/workspace.ts';
import { textsOf } from '../../language/text.ts';
import { updateSettings } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from '../workspaces/existing.ts';

/** Each send reads them with the workspace: they are few and short. */
const mostKinds = 20;
const longestName = 80;
const tagPattern = /^[A-Za-z0-9_-]{1,256}:[A-Za-z0-9_-]{1,256}$/;

const texts = textsOf({
  tag: {
    en: 'must be the name and value of a tag, as in "category:newsletter"',
    fr: 'doit être le nom et la valeur d’une étiquette, comme « category:newsletter »',
  },
  name: {
    en: `must be 1 to ${longestName} characters without line breaks`,
    fr: `doit compter de 1 à ${longestName} caractères sans saut de ligne`,
  },
  tooMany: { en: `a workspace offers at most ${mostKinds} kinds`, fr: `un espace propose au plus ${mostKinds} types` },
});

/** Offers a kind of mail to be left by itself, or gives it another name. */
export const setKind = operatorVerb(
  { action: 'kind.set', needs: 'change', subject: ({ tag }) => tag },
  async (context: Context, { tag, name }: MailKind): Promise<readonly MailKind[]> => {
    const { id, kinds } = await existingWorkspace(context.workspaceId);
    const isKnown = kinds.some((kind) => kind.tag === tag);
    const isName = name.trim().length > 0 && [...name].length <= longestName && !/\p{Cc}/u.test(name);
    const issues = [
      ...(tagPattern.test(tag) ? [] : [{ path: 'tag', text: texts.tag }]),
      ...(isName ? [] : [{ path: 'name', text: texts.name }]),
      ...(isKnown || kinds.length < mostKinds ? [] : [{ path: 'tag', text: texts.tooMany }]),
    ];
    if (issues.length > 0) throw new ValidationError(issues);
    const changed = isKnown
      ? kinds.map((kind) => (kind.tag === tag ? { tag, name } : kind))
      : [...kinds, { tag, name }];
    await updateSettings(id, { kinds: changed });
    return changed;
  },
);
