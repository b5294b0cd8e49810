/** Deeper rules are refused afterwards in any form. */
const maxDepth = 12;

type Given = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A rule as our form has it: `{"type": "rule", "field": "event.x", "operator": "gte", …}` of Resend is read wherever a rule
 * is. What is in neither form stays as it is, for the parser to report. `place`: what `event.x` means here.
 */
export function ourRule(rule: unknown, place: 'trigger' | 'data', depth = 1): unknown {
  if (!isObject(rule) || depth > maxDepth) return rule;
  const inner = (value: unknown) => ourRule(value, place, depth + 1);
  const each = (value: unknown) => (Array.isArray(value) ? value.map(inner) : value);
  if (rule.type === 'and') return { all: each(rule.rules) };
  if (rule.type === 'or') return { any: each(rule.rules) };
  if (rule.type === 'rule') return comparison(rule, place);
  if ('all' in rule) return { ...rule, all: each(rule.all) };
  if ('any' in rule) return { ...rule, any: each(rule.any) };
  return 'not' in rule ? { ...rule, not: inner(rule.not) } : rule;
}

/** Operators that are ours under another name. */
const operators: Readonly<Record<string, string>> = {
  eq: 'equals',
  neq: 'not_equals',
  gt: 'greater_than',
  lt: 'less_than',
  contains: 'contains',
  starts_with: 'starts_with',
  ends_with: 'ends_with',
};

function comparison({ type: _type, field, operator, value, ...rest }: Given, place: 'trigger' | 'data'): object {
  const subject = { ...rest, ...subjectOf(field, place) };
  const exists = { ...subject, operator: 'exists' };
  const compare = (name: string) => ({ ...subject, operator: name, value });
  switch (operator) {
    case 'exists':
      return exists;
    case 'is_empty':
      return { any: [{ not: exists }, { ...subject, operator: 'equals', value: '' }] };
    case 'gte':
      return { any: [compare('greater_than'), compare('equals')] };
    case 'lte':
      return { any: [compare('less_than'), compare('equals')] };
    case 'eq':
      return value === null ? { not: exists } : compare('equals');
    case 'neq':
      return value === null ? exists : compare('not_equals');
    default:
      return compare(typeof operator === 'string' ? (operators[operator] ?? operator) : String(operator));
  }
}

const names: Readonly<Record<string, string>> = {
  first_name: 'firstName',
  firstName: 'firstName',
  last_name: 'lastName',
  lastName: 'lastName',
};

function subjectOf(field: unknown, place: 'trigger' | 'data'): object {
  const [, source, path = ''] = typeof field === 'string' ? (/^(event|contact)\.(.+)$/.exec(field) ?? []) : [];
  if (source === 'event') return { [place]: path };
  if (source !== 'contact') return { field };
  const name = Object.hasOwn(names, path) ? names[path] : undefined;
  return name === undefined ? { field: path.replace(/^(?:fields|properties)\./, '') } : { name };
}
