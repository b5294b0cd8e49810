/** What a person has said, by their own link, of the mail that they get from a workspace. */
export interface Preferences {
  /** Nobody is told when they open a message or follow a link. */
  readonly isUntracked: boolean;
  /** Tags (`name:value`) of the kinds of mail that they have left. */
  readonly leftTags: readonly string[];
}

/** Of somebody who has said nothing. */
export const noPreferences: Preferences = { isUntracked: false, leftTags: [] };

/** True when it says as much as nothing. */
export const isSilent = ({ isUntracked, leftTags }: Preferences): boolean => !isUntracked && leftTags.length === 0;
