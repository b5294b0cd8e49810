import { consoleRoot } from '../../root.ts';
import { fileOf } from '../file.ts';
import { editorScript } from './editorScript.ts';
import { editorStyle } from './editorStyle.ts';

/** Loaded by the page of the editor and by no other. */
const style = fileOf('css', 'text/css; charset=utf-8', editorStyle.toString());
const script = fileOf('js', 'text/javascript; charset=utf-8', editorScript.toString());

export const editorAssets = [style, script];
export const editorFiles = () => ({
  style: `${consoleRoot()}${style.path}`,
  script: `${consoleRoot()}${script.path}`,
});
