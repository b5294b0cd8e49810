import * as z from 'zod';
import { isSilent, noPreferences, type Preferences } from '../../domain/person/preferences.ts';
import type { Item } from '../table/table.ts';

const stored = z
  .object({ untracked: z.boolean().default(false), left_tags: z.array(z.string()).default([]) })
  .transform((item): Preferences => ({ isUntracked: item.untracked, leftTags: item.left_tags }));

/** What an address item says of them; most say nothing. */
export const preferencesOf = ({ preferences }: Item): Preferences =>
  preferences === undefined ? noPreferences : stored.parse(preferences);

export const preferencesAttributes = (preferences: Preferences): Item =>
  isSilent(preferences)
    ? {}
    : { preferences: { untracked: preferences.isUntracked, left_tags: [...preferences.leftTags] } };
