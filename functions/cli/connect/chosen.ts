import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readJson, writePrivateJson } from '../../../infra/local/files.ts';
import type { Place } from './connect.ts';

/** Ids of workspaces by the place that they are in. */
type Choices = Readonly<Record<string, string>>;

/** The workspace that commands are about in this place until another one is made or chosen. */
export function chosenWorkspace(place: Place): string | undefined {
  return readJson<Choices>(fileOf(place))?.[nameOf(place)];
}

/** Remembers it in the data folder, that of a deployed stack too. */
export function chooseWorkspace(place: Place, id: string): void {
  const file = fileOf(place);
  mkdirSync(resolve(place.data), { recursive: true, mode: 0o700 });
  writePrivateJson(file, { ...readJson<Choices>(file), [nameOf(place)]: id });
}

const fileOf = ({ data }: Place): string => join(resolve(data), 'chosen.json');

/** Two regions may have stacks of one name. */
function nameOf({ stack, region, settings }: Place): string {
  if (!stack) return 'local';
  return [stack, region ?? settings ?? ''].join(' ').trimEnd();
}
