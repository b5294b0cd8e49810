import { serveInThread } from './engineThread.ts';
import { startMessaging } from './messaging.ts';

await serveInThread(startMessaging);
