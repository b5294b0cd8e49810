import { serveInThread } from '../engines/engineThread.ts';
import { startFiles } from './server.ts';

await serveInThread(startFiles);
