import { serveInThread } from '../engines/engineThread.ts';
import { startMessaging } from './messaging.ts';

await serveInThread(startMessaging);
