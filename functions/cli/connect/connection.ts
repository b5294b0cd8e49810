import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readJson, writePrivateJson } from '../../../infra/local/files.ts';

/** A connection to a deployment, local or on AWS. */
export interface Connection {
  /** The environment variables that the functions of that deployment get. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The options that choose the deployment. */
export interface ConnectionOptions {
  readonly data: string;
  readonly stack?: string | undefined;
  readonly region?: string | undefined;
  /** The settings file of the deployment, if it is not the default one. */
  readonly settings?: string | undefined;
}

/** Ids of workspaces by deployment. */
type ChosenWorkspaces = Readonly<Record<string, string>>;

/** The workspace in use: the one that was last created or chosen in this deployment. */
export function chosenWorkspace(options: ConnectionOptions): string | undefined {
  return readJson<ChosenWorkspaces>(fileOf(options))?.[nameOf(options)];
}

/** Stores the workspace in use in the data folder, also for a deployed stack. */
export function chooseWorkspace(options: ConnectionOptions, id: string): void {
  const file = fileOf(options);
  mkdirSync(resolve(options.data), { recursive: true, mode: 0o700 });
  writePrivateJson(file, { ...readJson<ChosenWorkspaces>(file), [nameOf(options)]: id });
}

const fileOf = ({ data }: ConnectionOptions): string => join(resolve(data), 'chosen.json');

/** Two regions may have stacks of the same name. */
function nameOf({ stack, region, settings }: ConnectionOptions): string {
  if (!stack) return 'local';
  return [stack, region ?? settings ?? ''].join(' ').trimEnd();
}
