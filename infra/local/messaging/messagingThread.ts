import { serveInThread } from '../engine/engineThread.ts';
import { startMessaging } from './messaging.ts';

await serveInThread(startMessaging);
