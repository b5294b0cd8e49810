import { textFilesBelow, textOfFile } from '../../../platform/textFiles.ts';
import { contentSource } from '../../assets.ts';
import { elementOf } from '../../html.ts';

const files = textFilesBelow(new URL('./browser/', import.meta.url));
const css = textOfFile(files, 'reference.css');
const script = textOfFile(files, 'reference.js');

export const referenceStyle = elementOf('style', css);
export const referenceScript = elementOf('script', script);

/** What the policy of the page allows, and nothing else. */
export const referenceSources = { style: contentSource(css), script: contentSource(script), connections: "'self'" };
