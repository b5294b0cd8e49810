// @ts-check
// What the buttons above a text insert, as the text stores it.

/** @param {string} text */
export const bold = (text) => `**${text}**`;

/** @param {string} text */
export const italic = (text) => `*${text}*`;

/**
 * `[label](target)`; the target is the label when there is none.
 * @param {string} label
 * @param {string} target
 */
export function link(label, target) {
  // Brackets would end the label early, white space the target.
  return `[${label.replace(/[[\]]/g, '') || target}](${target.replace(/\s/g, '%20')})`;
}

/**
 * `{{firstName|fallback}}`, or `{{fields.name|fallback}}` when `which` is `fields`.
 * @param {string} which
 * @param {string} ownName of a field of the workspace
 * @param {string} fallback
 */
export function mergeField(which, ownName, fallback) {
  const name = which === 'fields' ? `fields.${ownName.replace(/\W/g, '')}` : which;
  // Braces, bars and line breaks would end the merge field early.
  const shown = fallback.replace(/[{}|\r\n]/g, '');
  return `{{${name}${shown === '' ? '' : `|${shown}`}}}`;
}
