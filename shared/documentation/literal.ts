/** How a language writes what JSON can hold. */
interface Notation {
  /** Whether the last member has a comma too. */
  readonly lastComma: string;
  /** Inside the braces of an object on one line. */
  readonly padding: string;
  readonly indent: string;
  readonly name: (name: string) => string;
  readonly text: (text: string) => string;
  readonly words: Readonly<Record<string, string>>;
}

export const inSingleQuotes = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const jsonNotation: Notation = {
  lastComma: '',
  padding: ' ',
  indent: '  ',
  name: JSON.stringify,
  text: JSON.stringify,
  words: {},
};

export const typescriptNotation: Notation = {
  lastComma: ',',
  padding: ' ',
  indent: '  ',
  name: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : inSingleQuotes(name)),
  text: inSingleQuotes,
  words: {},
};

export const pythonNotation: Notation = {
  lastComma: ',',
  padding: '',
  indent: '    ',
  name: JSON.stringify,
  text: JSON.stringify,
  words: { true: 'True', false: 'False', null: 'None' },
};

/** A value of JSON in a language; small objects and arrays are on one line. */
export function literal(value: unknown, notation: Notation, indent = ''): string {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value !== 'object' || value === null) return notation.words[String(value)] ?? String(value);
  const inner = indent + notation.indent;
  const members = Array.isArray(value)
    ? value.map((member) => literal(member, notation, inner))
    : Object.entries(value).map(([name, member]) => `${notation.name(name)}: ${literal(member, notation, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const line = members.join(', ');
  if (line.length < 60 && !line.includes('\n')) {
    const space = Array.isArray(value) || line === '' ? '' : notation.padding;
    return `${open}${space}${line}${space}${close}`;
  }
  return `${open}\n${inner}${members.join(`,\n${inner}`)}${notation.lastComma}\n${indent}${close}`;
}

/** JSON with small objects and arrays on one line. */
export const inJson = (value: unknown): string => literal(value, jsonNotation);
