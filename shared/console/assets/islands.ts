import { consoleRoot } from '../root.ts';
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

/** Told when a page is made. */
const filesOf = ({ path }: typeof upload) => ({
  get script() {
    return `${consoleRoot()}${path}`;
  },
});

export const uploadFiles = filesOf(upload);
export const segmentFiles = filesOf(segment);
export const liveFiles = filesOf(live);
