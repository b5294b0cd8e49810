import type { ConsolePage } from '../../../call.ts';
import { operatorsPath as path } from './grant.ts';
import { askSignOut, makeLink, signOutAll } from './link.ts';
import { invite, showOperators } from './list.ts';
import { askEnd, askRemove, change, end, remove, showChange } from './one.ts';

export const operatorPages: readonly ConsolePage[] = [
  { method: 'GET', path, verb: (call) => showOperators(call) },
  { method: 'POST', path, verb: makeLink },
  { method: 'POST', path: `${path}/invite`, verb: invite },
  { method: 'GET', path: `${path}/sign-out`, needs: 'own', verb: askSignOut },
  { method: 'POST', path: `${path}/sign-out`, verb: signOutAll },
  { method: 'GET', path: `${path}/at/{operator}/change`, needs: 'own', verb: showChange },
  { method: 'POST', path: `${path}/at/{operator}/change`, verb: change },
  { method: 'GET', path: `${path}/at/{operator}/end`, needs: 'own', verb: askEnd },
  { method: 'POST', path: `${path}/at/{operator}/end`, verb: end },
  { method: 'GET', path: `${path}/at/{operator}/remove`, needs: 'own', verb: askRemove },
  { method: 'POST', path: `${path}/at/{operator}/remove`, verb: remove },
];
