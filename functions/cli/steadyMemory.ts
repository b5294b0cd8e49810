import { setFlagsFromString } from 'node:v8';

/**
 * For commands that handle as many people as there are. On a machine with much memory V8 lets dead objects pile up to
 * 100 MB and more before it looks; it reads both flags each time that it would grow, so they may be set while running.
 */
export function keepMemorySteady(): void {
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString('--semi-space-growth-factor=1');
}
