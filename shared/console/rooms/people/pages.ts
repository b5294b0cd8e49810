import type { ConsolePage } from '../../call.ts';
import { addPerson, editPerson, showAdd, showEdit } from './edit.ts';
import { showPeople } from './list.ts';
import { showPersonPage } from './person.ts';
import { askErase, askUnsubscribe, eraseOne, exportOne, unsubscribeOne } from './rights.ts';

export const peoplePages: readonly ConsolePage[] = [
  { method: 'GET', path: '/people', verb: showPeople },
  { method: 'GET', path: '/people/add', verb: showAdd },
  { method: 'POST', path: '/people/add', verb: addPerson },
  { method: 'GET', path: '/people/at/{email}', verb: showPersonPage },
  { method: 'GET', path: '/people/at/{email}/edit', verb: showEdit },
  { method: 'POST', path: '/people/at/{email}/edit', verb: editPerson },
  { method: 'GET', path: '/people/at/{email}/unsubscribe', verb: askUnsubscribe },
  { method: 'POST', path: '/people/at/{email}/unsubscribe', verb: unsubscribeOne },
  { method: 'POST', path: '/people/at/{email}/export', verb: exportOne },
  { method: 'GET', path: '/people/at/{email}/erase', verb: (call) => askErase(call) },
  { method: 'POST', path: '/people/at/{email}/erase', verb: eraseOne },
];
