import { ValidationError } from '../../contract/errors.ts';
import { parseWebOrigin } from '../../domain/network/webOrigin.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import type { Text } from '../../language/text.ts';
import { updateSettings } from '../../store/workspace/workspaces.ts';
import { type ShownForm, shownForm } from './shown.ts';

const text: Text = {
  en: 'must be an origin such as https://www.example.com: https (http for this machine), a host, no path',
  fr: 'doit être une origine comme https://www.example.com : https (http pour cette machine), un hôte, sans chemin',
};

/** The origins whose pages may show the sign-up form in a frame; none means nobody. Throws `validation_error`. */
export async function setOrigins(workspace: Workspace, wanted: readonly string[]): Promise<ShownForm> {
  const read = wanted.map(parseWebOrigin);
  const issues = read.flatMap((origin, index) => (origin === null ? [{ path: `form_origins[${index}]`, text }] : []));
  if (issues.length > 0) throw new ValidationError(issues);
  const formOrigins = [...new Set(read.filter((origin) => origin !== null))];
  await updateSettings(workspace.id, { formOrigins });
  return shownForm(workspace, formOrigins);
}
