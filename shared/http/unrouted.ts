import { ServiceError } from '../contract/errors.ts';
import { targetsAt } from '../contract/match.ts';
import { mcpEndpoint } from '../contract/mcp.ts';
import { methodRefusal, methodsOf } from '../contract/methods.ts';
import { pages } from '../contract/pages.ts';
import { routes } from '../contract/routes.ts';
import type { Call, Reply } from './call.ts';
import { anyOrigin, TransportError } from './wire.ts';

/**
 * 405 with `Allow` for a path that exists with other methods (RFC 9110 section 15.5.6), 404 for any other. Where web pages
 * may read the answer, a browser that asks beforehand (`OPTIONS`) is told so.
 */
export async function answerUnrouted({ target }: Pick<Call, 'target'>): Promise<Reply> {
  const found = targetsAt([...routes, mcpEndpoint, ...pages], target.path).map((one) => one.target);
  if (found.length === 0) {
    throw new ServiceError('not_found', {
      text: {
        en: 'There is nothing at this path. GET /api/v1 is the map of the API.',
        fr: 'Il n’y a rien à cette adresse. GET /api/v1 est la carte de l’API.',
      },
    });
  }
  const taken = [...new Set(found.flatMap(methodsOf))];
  const isReadable = found.some((one) => 'crossOrigin' in one && one.crossOrigin);
  if (target.method === 'OPTIONS' && isReadable) return preflight(taken);
  const names = taken.join(', ');
  throw new TransportError(405, methodRefusal(target.method, names), {
    Allow: names,
    ...(isReadable ? anyOrigin : {}),
  });
}

/** The browser may keep it for a day. `*` stands for any header but `Authorization` (Fetch standard, "CORS protocol"). */
function preflight(methods: readonly string[]): Reply {
  const headers = {
    ...anyOrigin,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': '86400',
  };
  return { status: 204, body: undefined, headers };
}
