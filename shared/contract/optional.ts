import type * as z from 'zod';

/** A field of a body that may be left out; `null` says the same. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional();
}

/** A field of a body that has this value when it is left out or `null`. */
export function withDefault<T extends z.ZodType>(schema: T, value: z.output<T>) {
  return schema
    .nullish()
    .transform((given) => given ?? value)
    .meta({ default: value });
}
