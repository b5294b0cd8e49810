// @ts-check
// The editor's form as data.

/** @typedef {readonly (readonly [name: string, value: string])[]} Pairs names and values as a form sends them */

/**
 * One block with the values of its own fields, by the end of their names (`.text`), and the blocks in its columns.
 * @typedef {object} BlockState
 * @property {string} kind
 * @property {readonly (readonly [suffix: string, value: string | boolean])[]} values
 * @property {readonly (readonly BlockState[])[]} lists
 */

/** @typedef {readonly [kind: string, ...columns: readonly unknown[]]} Shape the kinds of a block and of those in it */

const blockField = /^(content\[\d+\](?:\.columns\[\d\]\[\d+\])?)\.(\w+)$/;

/**
 * The fields of the blocks by the paths of the blocks, and the other fields by their names.
 * @param {Pairs} pairs
 */
export function splitPairs(pairs) {
  /** @type {Map<string, string>} */
  const others = new Map();
  /** @type {Map<string, Map<string, string>>} */
  const blocks = new Map();
  for (const [name, value] of pairs) {
    const [, path, field] = blockField.exec(name) ?? [];
    if (path === undefined || field === undefined) others.set(name, value);
    else blocks.set(path, (blocks.get(path) ?? new Map()).set(field, value));
  }
  return { others, blocks };
}

/**
 * The blocks below a path such as `content`, in their order.
 * @param {ReadonlyMap<string, ReadonlyMap<string, string>>} blocks
 * @param {string} base
 * @returns {BlockState[]}
 */
export function blockStates(blocks, base) {
  /** @type {BlockState[]} */
  const states = [];
  for (let index = 0; ; index += 1) {
    const path = `${base}[${index}]`;
    const fields = blocks.get(path);
    if (!fields) return states;
    const isColumns = fields.get('type') === 'columns';
    const kind = isColumns ? `columns${fields.get('count')}` : (fields.get('type') ?? '');
    const lists = isColumns ? [0, 1, 2].map((column) => blockStates(blocks, `${path}.columns[${column}]`)) : [];
    const values = [...fields].map(
      ([field, value]) => /** @type {const} */ ([`.${field}`, field === 'ordered' ? value === 'yes' : value]),
    );
    states.push({ kind, values, lists });
  }
}

/**
 * @param {BlockState} block
 * @returns {Shape}
 */
export function shapeOf({ kind, lists }) {
  const columns = kind === 'columns3' ? 3 : kind === 'columns2' ? 2 : 0;
  return [kind, ...lists.slice(0, columns).map((list) => list.map(shapeOf))];
}

/**
 * Whether an issue of the contract (`content[0].items[2]`) is about the field of this name (`content[0].items`).
 * @param {string} issueName
 * @param {string} fieldName
 */
export const isAbout = (issueName, fieldName) =>
  issueName === fieldName || issueName.startsWith(`${fieldName}[`) || issueName.startsWith(`${fieldName}.`);
