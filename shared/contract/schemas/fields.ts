import * as z from 'zod';
import { fieldsMessage } from '../../language/spelling.ts';
import { customIssue, type Text, text } from '../../language/text.ts';

/**
 * Describes a field in every language. The OpenAPI documents and the MCP tools take their descriptions from the schema.
 */
export function describe<T extends z.ZodType>(schema: T, text: Text, examples?: readonly unknown[]): T {
  return schema.meta({ text, ...(examples ? { examples: [...examples] } : {}) }) as T;
}

/**
 * Names the type of a schema in the OpenAPI documents and generated clients. Needed for an enum or object that several
 * records share, and for a record that has the `object` of another one but not its fields.
 */
export const named = <T extends z.ZodType>(component: string, schema: T): T => schema.meta({ component }) as T;

/** Keeps an object without objects of its own in its place, where a component would say nothing more. */
export const inPlace = <T extends z.ZodType>(schema: T): T => schema.meta({ component: false }) as T;

/** An object inside a body that refuses unknown fields, naming the nearest of its own. */
export const strictFields = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? fieldsMessage.of(Object.keys(shape)) : undefined),
  });

/** An optional field of a body. `null` means absent. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional();
}

/** An optional field of a body with a default, which also replaces `null`. */
export function withDefault<T extends z.ZodType>(schema: T, value: z.output<T>) {
  return schema
    .nullish()
    .transform((given) => given ?? value)
    .meta({ default: value });
}

/**
 * Runs a check across fields even if another one failed, so that all issues are reported at once. It then sees values as
 * they were given, of any type.
 */
export const always = () => true;

/** The fields of a value of any type; none of what is no object. */
export const givenFields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** A text, or none: a value of another type is reported by its schema. */
export const givenText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

let isAllowed = false;

/** Whether URLs in the input that is being parsed may point to this machine. */
export const isLoopbackAllowed = (): boolean => isAllowed;

/**
 * Parses with or without plain http and loopback addresses, which the local runtime accepts. The schemas are constants, so
 * that the setting is a variable during the parse, which must be synchronous.
 */
export function parseWithLoopback<Result>(allowed: boolean, parse: () => Result): Result {
  const before = isAllowed;
  isAllowed = allowed;
  try {
    return parse();
  } finally {
    isAllowed = before;
  }
}

export const timestamp = (text: Text) => describe(z.string(), text, ['2026-11-21T10:30:00.000Z']);

export const nullableTimestamp = (text: Text) => describe(z.string().nullable(), text, ['2026-11-21T10:30:00.000Z']);

/** A field that always has this value. */
export const constant = <T extends string | boolean>(value: T) =>
  describe(z.literal(value), { en: `Always \`${value}\`.`, fr: `Toujours \`${value}\`.` });

/** Reads an integer as JSON writes it, and not `1e1`, `0x10` or ` 10 `, which `Number` accepts too. */
function readInteger(value: unknown, context: z.RefinementCtx): unknown {
  if (typeof value !== 'string') return value;
  if (/^-?(0|[1-9]\d*)$/.test(value)) return Number(value);
  context.addIssue(customIssue(notAnInteger));
  return z.NEVER;
}

export const queryInteger = (least: number, most: number) => z.preprocess(readInteger, z.int().min(least).max(most));

const printableAscii = /^[ -~]*$/;
const notPrintable: Text = { en: 'must be printable ASCII', fr: 'doit être de l’ASCII imprimable' };

export const idempotencyKey = z
  .string()
  .min(1)
  .max(200)
  .refine((value) => printableAscii.test(value), { params: { text: notPrintable } })
  .meta({ pattern: printableAscii.source });

const notAnInteger: Text = { en: 'must be an integer', fr: 'doit être un entier' };

/** The query parameters of every paged list. */
export const pageQuery = {
  limit: describe(
    queryInteger(1, 100).default(50).meta({ default: 50 }),
    { en: 'Entries per page, 1 to 100.', fr: 'Entrées par page, de 1 à 100.' },
    [50],
  ),
  cursor: describe(z.string().max(4000).meta({ pattern: '^[\\w.-]*$' }).optional(), {
    en: 'The `next_cursor` of the previous page.',
    fr: 'Le `next_cursor` de la page précédente.',
  }),
};

const cursorAndAfter: Text = {
  en: '"cursor" and "after" are both given: use only one of them',
  fr: '« cursor » et « after » sont donnés tous les deux : n’en utilisez qu’un',
};

/** The query of a paged list that also takes the id of the last entry read, in place of a cursor. */
export const pageQueryAfter = <Filters extends z.ZodRawShape>(
  filters: Filters,
  idExample = 'seg_01k9zq3v5c8r2m4n6p7s9t0wxy',
) =>
  z
    .object({
      ...pageQuery,
      after: describe(
        z.string().min(1).max(254).optional(),
        {
          en: 'Identifier of the last entry of the previous page, in place of `cursor`.',
          fr: 'Identifiant de la dernière entrée de la page précédente, à la place de `cursor`.',
        },
        [idExample],
      ),
      ...filters,
    })
    .superRefine((given, context) => {
      const { cursor, after } = givenFields(given);
      if (isGiven(cursor) && isGiven(after)) context.addIssue(customIssue(cursorAndAfter, ['after']));
    });

/** The header of a call whose answer is kept. No two calls have the same example, so that their examples work together. */
export const idempotencyHeaders = (example: string) =>
  z.object({
    'idempotency-key': describe(
      idempotencyKey.optional(),
      {
        en: 'One unique value per call. The same call with the same key gets the first answer and changes nothing. Kept for 24 hours.',
        fr: 'Une valeur unique par appel. Le même appel avec la même clé reçoit la première réponse et ne change rien. Conservée 24 heures.',
      },
      [example],
    ),
  });

/** The header of the answer to every call that takes an Idempotency-Key. */
export const replayHeader = {
  'Idempotent-Replay': text({
    en: '`true` when this is the answer to an earlier identical call.',
    fr: '`true` quand c’est la réponse à un appel identique précédent.',
  }),
};

/** The answer of a paged list. */
export const listOf = <T extends z.ZodType>(entry: T) =>
  z.object({
    object: constant('list'),
    data: describe(z.array(entry), { en: 'The entries of this page.', fr: 'Les entrées de cette page.' }),
    has_more: describe(z.boolean(), { en: 'True when there is a next page.', fr: 'Vrai s’il y a une page suivante.' }, [
      false,
    ]),
    next_cursor: describe(
      z.string().nullable(),
      {
        en: 'Cursor of the next page; null on the last one.',
        fr: 'Curseur de la page suivante ; null sur la dernière.',
      },
      [null],
    ),
  });

/** The template, and its version, that a message was made from. */
export const templateVersion = named(
  'TemplateVersion',
  z.object({
    id: describe(z.string(), { en: 'Identifier of the template.', fr: 'Identifiant du modèle.' }, [
      'tpl_01k9zq3v5c8r2m4n6p7s9t0wxy',
    ]),
    version: describe(z.int().min(1), { en: 'Version of the template.', fr: 'Version du modèle.' }, [1]),
  }),
);

export const notAMoment: Text = {
  en: 'must be a date and time with a time zone, such as 2026-12-01T09:00:00+01:00; phrases such as "in 1 min" are not supported',
  fr: 'doit être une date et une heure avec un fuseau horaire, comme 2026-12-01T09:00:00+01:00 ; les expressions comme « in 1 min » ne sont pas acceptées',
};

/** RFC 3339 section 5.6, with optional seconds. */
const form = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Refuses dates such as 30 February, which `Date` turns into another day. */
function isMoment(text: string): boolean {
  const [, year, month, day] = form.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** A date and time with a time zone. */
export const moment = z
  .string()
  .max(40)
  .refine(isMoment, { params: { text: notAMoment } })
  .meta({ pattern: form.source });
