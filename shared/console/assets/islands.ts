import { fileOf } from './file.ts';
import { liveScript } from './live.ts';
import { segmentScript } from './segment.ts';
import { uploadScript } from './upload.ts';

const type = 'text/javascript; charset=utf-8';
const upload = fileOf('upload.js', type, uploadScript.toString());
const segment = fileOf('segment.js', type, segmentScript.toString());
const live = fileOf('live.js', type, liveScript.toString());

/** Scripts of a few pages each: loaded by those and by no others. */
export const islandAssets = [upload, live, segment];
export const uploadFiles = { script: `/console${upload.path}` };
export const segmentFiles = { script: `/console${segment.path}` };
export const liveFiles = { script: `/console${live.path}` };
