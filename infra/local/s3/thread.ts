import { serveInThread } from '../engine/engineThread.ts';
import { startFiles } from './server.ts';

await serveInThread(startFiles);
