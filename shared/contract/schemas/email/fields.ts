import * as z from 'zod';
import type { Text } from '../../../language/text.ts';
import { describe } from '../../describe.ts';

export const timestamp = (text: Text) => describe(z.string(), text, ['2026-11-21T10:30:00.000Z']);

export const object = <T extends string>(name: T) =>
  describe(z.literal(name), { en: `Always \`${name}\`.`, fr: `Toujours \`${name}\`.` });
