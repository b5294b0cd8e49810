import type { ConsoleReply } from '../call.ts';
import { consoleRoot } from '../root.ts';
import { campaignAssets } from './campaigns/campaign.ts';
import { editorAssets } from './campaigns/editor.ts';
import { fileOf } from './file.ts';
import { islandAssets } from './islands.ts';
import { consoleScript } from './script.ts';
import { consoleStyle } from './style.ts';

const style = fileOf('css', 'text/css; charset=utf-8', consoleStyle.toString());
const script = fileOf('js', 'text/javascript; charset=utf-8', consoleScript.toString());

export const stylePath = (): string => `${consoleRoot()}${style.path}`;
export const scriptPath = (): string => `${consoleRoot()}${script.path}`;

/** The file of a path below `/console`; null when there is none. */
export function assetAt(path: string): ConsoleReply | null {
  const found = [style, script, ...editorAssets, ...campaignAssets, ...islandAssets].find((one) => one.path === path);
  return found ? { kind: 'file', type: found.type, body: found.body, isImmutable: true } : null;
}
