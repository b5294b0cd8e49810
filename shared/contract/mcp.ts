import type { FunctionDefinition, Needs } from './route.ts';

/**
 * The MCP server beside the REST API: one method of one path, and no route of the reference. Its tools call the REST API
 * over the network with the caller's key, so that it needs nothing itself. Scripts of any web page may read its answers.
 */
export const mcpEndpoint = {
  id: 'mcp.server',
  method: 'POST',
  path: '/api/mcp',
  /** Any key; what it may do is for each tool's route to say. */
  access: 'key',
  crossOrigin: true,
  needs: {} satisfies Needs,
  // Twice the usual memory is twice the processor: agents wait for the start of the function.
  function: {
    entry: 'functions/mcp/server.ts',
    memoryMegabytes: 1024,
    timeoutSeconds: 29,
  } satisfies FunctionDefinition,
} as const;
