import type * as z from 'zod';
import type { Text } from '../language/text.ts';

/**
 * Describes a field in every language. The OpenAPI documents and the MCP tools read the descriptions from the schema,
 * so a field cannot exist without its documentation.
 */
export function describe<T extends z.ZodType>(schema: T, text: Text, examples?: readonly unknown[]): T {
  return schema.meta({ text, ...(examples ? { examples: [...examples] } : {}) }) as T;
}
