import type { ConsolePage } from '../../call.ts';
import { submitted } from '../../frame/submit.ts';
import { askRemoveDomain, checkDomain, removeOneDomain, showDomain } from './domain.ts';
import { addOneDomain, showDomains } from './list.ts';
import { addOneSender, askRemoveSender, removeOneSender } from './senders.ts';

export const domainPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/domains', verb: (call) => showDomains(call) },
  { method: 'POST', path: '/domains', verb: addOneDomain },
  { method: 'GET', path: '/domains/at/{name}', verb: showDomain },
  { method: 'POST', path: '/domains/at/{name}/check', verb: checkDomain },
  { method: 'GET', path: '/domains/at/{name}/remove', needs: 'own', verb: askRemoveDomain },
  { method: 'POST', path: '/domains/at/{name}/remove', verb: removeOneDomain },
  {
    method: 'POST',
    path: '/senders',
    verb: (call) =>
      submitted(
        call,
        () => addOneSender(call),
        (filled) => showDomains(call, filled),
      ),
  },
  { method: 'GET', path: '/senders/at/{email}/remove', needs: 'own', verb: askRemoveSender },
  { method: 'POST', path: '/senders/at/{email}/remove', verb: removeOneSender },
];
