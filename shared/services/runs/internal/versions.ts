import type { AutomationDefinition } from '../../../domain/automation/automation.ts';
import { getVersion } from '../../../store/automation/automations.ts';

/** Versions never change, so a process reads each once. */
const known = new Map<string, Promise<AutomationDefinition | null>>();
const mostKnown = 200;

/** The definition of a version; null when there is none. */
export function definitionOf(
  workspaceId: string,
  automationId: string,
  version: number,
): Promise<AutomationDefinition | null> {
  const name = `${workspaceId}#${automationId}#${version}`;
  const found = known.get(name);
  if (found) return found;
  const read = getVersion(workspaceId, automationId, version).then((one) => one?.definition ?? null);
  if (known.size >= mostKnown) known.delete(known.keys().next().value ?? '');
  known.set(name, read);
  // A version that is not there yet, or could not be read, is read again.
  const forget = () => void known.delete(name);
  read.then((definition) => definition ?? forget(), forget);
  return read;
}
