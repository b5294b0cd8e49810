import { mcp } from '../../shared/mcp/endpoint.ts';

export const handler = mcp;
