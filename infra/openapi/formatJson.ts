const maxWidth = 200;

/** Members that hold named items: each item has a line of its own, even where all would fit on one. */
const itemLists: ReadonlySet<string> = new Set(['properties', 'parameters']);

/**
 * JSON with one item a line: a field, a parameter or an example that fits is on a single line, so that a change of the
 * contract changes few lines of the documents. Ends with a line break.
 */
export const formatJson = (value: unknown): string => `${formatted(value, '', 0, false)}\n`;

/** `column`: the characters before the value on its line. */
function formatted(value: unknown, indent: string, column: number, isItemList: boolean): string {
  const line = singleLine(value);
  const fits = depthOf(value) <= 2 && column + line.length < maxWidth && !isItemList;
  if (!isContainer(value) || fits || Object.keys(value).length === 0) return line;
  const inner = `${indent}  `;
  const lines = membersOf(value).map(([name, member]) => {
    const prefix = Array.isArray(value) ? inner : `${inner}${JSON.stringify(name)}: `;
    return prefix + formatted(member, inner, prefix.length, itemLists.has(name));
  });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

function singleLine(value: unknown): string {
  if (!isContainer(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(singleLine).join(', ')}]`;
  const members = membersOf(value).map(([name, member]) => `${JSON.stringify(name)}: ${singleLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Without members that JSON leaves out. */
const membersOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, member]) => member !== undefined);

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Levels of objects and arrays: 1 for one that holds plain values only. */
const depthOf = (value: unknown): number =>
  isContainer(value) ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
