import type { ConsolePage } from '../../../call.ts';
import { planOne } from './columns.ts';
import { beginOne, cancelOne, liveImport, reportOne, showImport } from './one.ts';
import { addPiece, announceImport, showImports } from './upload.ts';

export const importPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/people/import', verb: (call) => showImports(call, 'people') },
  { method: 'GET', path: '/suppression/import', verb: (call) => showImports(call, 'suppression') },
  { method: 'POST', path: '/people/import', verb: announceImport },
  { method: 'POST', path: '/people/import/{id}/pieces', verb: addPiece },
  { method: 'GET', path: '/people/import/{id}', verb: showImport },
  { method: 'POST', path: '/people/import/{id}', verb: planOne },
  { method: 'POST', path: '/people/import/{id}/begin', verb: beginOne },
  { method: 'POST', path: '/people/import/{id}/cancel', verb: cancelOne },
  { method: 'GET', path: '/people/import/{id}/live', verb: liveImport },
  { method: 'GET', path: '/people/import/{id}/refused', verb: reportOne },
];
