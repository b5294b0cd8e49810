import { consoleRoot } from '../../root.ts';
import { fileOf } from '../file.ts';
import { laterScript } from '../later.ts';
import { liveScript } from '../live.ts';
import { campaignStyle } from './campaignStyle.ts';

/** Loaded by the pages of one campaign and by no others; one file for all of them, which most visits go through. */
const style = fileOf('campaign.css', 'text/css; charset=utf-8', campaignStyle.toString());
const script = fileOf('campaign.js', 'text/javascript; charset=utf-8', `${laterScript}\n${liveScript}`);

export const campaignAssets = [style, script];
export const campaignFiles = () => ({
  style: `${consoleRoot()}${style.path}`,
  script: `${consoleRoot()}${script.path}`,
});
