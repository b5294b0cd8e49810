import * as z from 'zod';
import { describe } from '../describe.ts';
import { optional } from '../optional.ts';

/** How one message is tracked; the workspace's switches hold for what is left out. */
export const track = describe(
  optional(
    z.object({
      opens: describe(
        optional(z.boolean()),
        {
          en: 'Whether a pixel tells of opens. The workspace’s switch when left out.',
          fr: 'Si un pixel signale les ouvertures. À défaut, le réglage de l’espace.',
        },
        [false],
      ),
      clicks: describe(
        optional(z.boolean()),
        {
          en: 'Whether links tell of clicks. The workspace’s switch when left out.',
          fr: 'Si les liens signalent les clics. À défaut, le réglage de l’espace.',
        },
        [false],
      ),
    }),
  ),
  {
    en: 'Tracking of this message, in place of the workspace’s own. Confirmation messages are never tracked.',
    fr: 'Suivi de ce message, à la place de celui de l’espace. Les messages de confirmation ne sont jamais suivis.',
  },
);
