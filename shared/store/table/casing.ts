import type { Item } from './table.ts';

/** The fields of a domain type under the names that they are stored by: `replyTo` is `reply_to`. Top level only. */
export const storedNames = (fields: Item): Item =>
  renamed(fields, (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** The reverse: the attributes of an item under the names of a domain type. */
export const domainNames = (item: Item): Item =>
  renamed(item, (name) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));

const renamed = (object: Item, rename: (name: string) => string): Item =>
  Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [rename(name), value]),
  );
