import type { Route } from './route.ts';
import type { Tool } from './tools.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** A JSON Schema whose instances are objects. */
export type ObjectSchema = {
  type: 'object';
  properties?: Record<string, Json>;
  required?: string[];
  [keyword: string]: unknown;
};

/** A tool as clients are told of it (MCP, `Tool`). */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** Which call of the REST API a tool is, and where each of its arguments goes; what is named nowhere goes into the body. */
export interface ToolCall extends Pick<Route, 'method' | 'path' | 'access'>, Pick<Tool, 'fixed' | 'keyedBy'> {
  readonly takesBody: boolean;
  readonly takesQuery: boolean;
  /** Argument by header: `idempotency-key` is the argument `idempotency_key`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Response headers that the answer's fields are joined by, in the same way. */
  readonly answerHeaders: Readonly<Record<string, string>>;
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** A message that a person may start a conversation with; `{name}` in its text stands for an argument. */
export interface ListedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  readonly text: string;
}

/** All that the MCP server says in one language, made of the contract (infra/mcp/) and committed as openapi/mcp.*.json. */
export interface Catalog {
  readonly instructions: string;
  readonly tools: readonly ListedTool[];
  readonly calls: Readonly<Record<string, ToolCall>>;
  readonly reference: {
    readonly uri: string;
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly mimeType: string;
    readonly text: string;
    /** A part of it by its name, each to be read alone. */
    readonly chapters: {
      readonly uriTemplate: string;
      readonly name: string;
      readonly title: string;
      readonly description: string;
      readonly mimeType: string;
      /** Where in the text it stands, by name: from the first to before the second. */
      readonly places: Readonly<Record<string, readonly [from: number, to: number]>>;
    };
  };
  readonly prompts: readonly ListedPrompt[];
}
