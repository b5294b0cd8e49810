/** A place in the data of an event: `amount`, `order.total`, `items.0.name`. */
export type DataPath = string;

export const dataPath = /^[A-Za-z0-9_-]{1,64}(?:\.[A-Za-z0-9_-]{1,64}){0,5}$/;

/** The value at a place; undefined when there is none. Inherited properties are none. */
export function valueAt(data: unknown, path: DataPath): unknown {
  let value = data;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
