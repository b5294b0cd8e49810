import type { ConsolePage } from '../../../call.ts';
import { operatorsPath as path } from './grant.ts';
import { askSignOut, makeLink, signOutAll } from './link.ts';
import { invite, showOperators } from './list.ts';
import { askEnd, askRemove, change, end, remove, showChange } from './one.ts';

export const operatorPages: readonly ConsolePage[] = [
  { method: 'GET', path, verb: (call) => showOperators(call) },
  { method: 'POST', path, verb: makeLink },
  { method: 'POST', path: `${path}/invite`, verb: invite },
  { method: 'GET', path: `${path}/sign-out`, verb: askSignOut },
  { method: 'POST', path: `${path}/sign-out`, verb: signOutAll },
  { method: 'GET', path: `${path}/{email}/change`, verb: showChange },
  { method: 'POST', path: `${path}/{email}/change`, verb: change },
  { method: 'GET', path: `${path}/{email}/end`, verb: askEnd },
  { method: 'POST', path: `${path}/{email}/end`, verb: end },
  { method: 'GET', path: `${path}/{email}/remove`, verb: askRemove },
  { method: 'POST', path: `${path}/{email}/remove`, verb: remove },
];
