import type { ConsolePage } from '../../call.ts';
import { addOne, askDelete, askRotate, deleteOne, editOne, rotateOne, showAdd, showEdit } from './edit.ts';
import { showWebhooks } from './list.ts';
import { liveLog } from './live.ts';
import { replayOne, showDelivery, showWebhook, testOne } from './log.ts';

/** `add` before `{id}`: the first that fits is taken. */
export const webhookPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/webhooks', verb: showWebhooks },
  { method: 'GET', path: '/webhooks/add', needs: 'own', verb: showAdd },
  { method: 'POST', path: '/webhooks/add', verb: addOne },
  { method: 'GET', path: '/webhooks/{id}', verb: showWebhook },
  { method: 'GET', path: '/webhooks/{id}/live', verb: liveLog },
  { method: 'GET', path: '/webhooks/{id}/edit', needs: 'own', verb: showEdit },
  { method: 'POST', path: '/webhooks/{id}/edit', verb: editOne },
  { method: 'POST', path: '/webhooks/{id}/test', verb: testOne },
  { method: 'GET', path: '/webhooks/{id}/rotate', needs: 'own', verb: askRotate },
  { method: 'POST', path: '/webhooks/{id}/rotate', verb: rotateOne },
  { method: 'GET', path: '/webhooks/{id}/delete', needs: 'own', verb: askDelete },
  { method: 'POST', path: '/webhooks/{id}/delete', verb: deleteOne },
  { method: 'GET', path: '/webhooks/{id}/log/{delivery}', verb: showDelivery },
  { method: 'POST', path: '/webhooks/{id}/log/{delivery}/replay', verb: replayOne },
];
