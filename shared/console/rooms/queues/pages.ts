import type { ConsolePage } from '../../call.ts';
import { showGivenUp } from './list.ts';
import { askRedrive, redrive } from './redrive.ts';

export const queuePages: readonly ConsolePage[] = [
  { method: 'GET', path: '/given-up', verb: showGivenUp },
  { method: 'GET', path: '/given-up/{queue}', needs: 'change', verb: askRedrive },
  { method: 'POST', path: '/given-up/{queue}', verb: redrive },
];
