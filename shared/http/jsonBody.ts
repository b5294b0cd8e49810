import { isUtf8 } from 'node:buffer';
import type { Issue } from '../contract/errors.ts';
import { pathOf } from '../contract/issues.ts';
import { type Text, textsOf } from '../language/text.ts';

const texts = textsOf({
  utf8: { en: 'the body is not valid UTF-8', fr: 'le corps n’est pas de l’UTF-8 valide' },
  json: { en: 'the body is not valid JSON', fr: 'le corps n’est pas du JSON valide' },
  object: { en: 'the body must be a JSON object', fr: 'le corps doit être un objet JSON' },
  list: { en: 'the body must be a JSON array', fr: 'le corps doit être un tableau JSON' },
  halfSurrogate: {
    en: 'must not hold half of a surrogate pair',
    fr: 'ne doit pas contenir une moitié de paire de substitution (surrogate)',
  },
  prototype: { en: 'is a name that cannot be used', fr: 'est un nom qui ne peut pas être utilisé' },
});

/** What a body holds, and what is wrong with it as text; nothing of it may be used when there is no value. */
export interface JsonBody<Value = Record<string, unknown>> {
  readonly value?: Value;
  readonly issues: readonly Issue[];
}

/** Reads a body that is an object. */
export const readJsonBody = (bytes: Buffer): JsonBody => readJson(bytes, isObject, texts.object);

/** Reads a body that is a list. */
export const readJsonList = (bytes: Buffer): JsonBody<unknown[]> => readJson(bytes, Array.isArray, texts.list);

/**
 * Reads a body as the JSON of RFC 8259: UTF-8 (section 8.1), and no escape that stands for half a character (section
 * 8.2), which no store and no mail could give back.
 */
function readJson<Value extends object>(
  bytes: Buffer,
  isWanted: (value: unknown) => value is Value,
  otherwise: Text,
): JsonBody<Value> {
  if (!isUtf8(bytes)) return { issues: [{ path: '', text: texts.utf8 }] };
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { issues: [{ path: '', text: texts.json }] };
  }
  if (!isWanted(value)) return { issues: [{ path: '', text: otherwise }] };
  return { value, issues: mayBeOdd.test(text) ? oddities(value) : [] };
}

/** Only an escape brings half a pair into valid UTF-8; it may spell out `__proto__` as well. */
const mayBeOdd = /\\u(?:d[89a-f]|00[567])|__proto__/i;

/** A value with the way that leads to it; a hostile body may be nested deeper than calls can be. */
interface Place {
  readonly value: unknown;
  readonly key?: PropertyKey;
  readonly parent?: Place;
}

/** What a path shows: the contract's own fields are not half as deep. */
const longestPath = 20;

function oddities(body: object): Issue[] {
  const issues: Issue[] = [];
  const pending: Place[] = [{ value: body }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const text = problemOf(place);
    if (text) issues.push({ path: pathOf(wayTo(place)), text });
    if (!isContainer(place.value)) continue;
    const isList = Array.isArray(place.value);
    for (const [key, value] of Object.entries(place.value).reverse()) {
      pending.push({ value, key: isList ? Number(key) : key, parent: place });
    }
  }
  return issues;
}

/** Names of the caller's choosing (headers, fields) lie deeper than the body's own, which are ignored when unknown. */
function problemOf({ key, value, parent }: Place): Text | null {
  if (key === '__proto__' && parent?.parent) return texts.prototype;
  const isBroken = (text: unknown) => typeof text === 'string' && !text.isWellFormed();
  return isBroken(key) || isBroken(value) ? texts.halfSurrogate : null;
}

function wayTo(place: Place): PropertyKey[] {
  const way: PropertyKey[] = [];
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.parent) way.push(at.key);
  return way.reverse().slice(0, longestPath);
}

const isObject = (value: unknown): value is Record<string, unknown> => isContainer(value) && !Array.isArray(value);

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
