import { closedPaths, mcpEndpoint, pages } from '../contract/endpoints.ts';
import { ServiceError } from '../contract/errors.ts';
import { routes } from '../contract/routes.ts';
import { methodRefusal, methodsOf, targetsAt } from '../contract/routing.ts';
import type { Call } from './endpoint.ts';
import { anyOrigin, type RouteReply, TransportError } from './response.ts';

/**
 * The answer for what no route takes: 405 with `Allow` when the path exists, with other methods or none (RFC 9110 section
 * 15.5.6), else 404. A preflight request (`OPTIONS`) is answered where scripts of other web pages may read the answers.
 */
export async function answerUnrouted({ target }: Pick<Call, 'target'>): Promise<RouteReply> {
  const targets = targetsAt([...routes, mcpEndpoint, ...pages], target.path).map((one) => one.target);
  if (targets.length === 0) {
    const [closed] = targetsAt(closedPaths, target.path);
    // "An empty Allow field value indicates that the resource allows no methods" (RFC 9110 section 10.2.1).
    if (closed) throw new TransportError(405, closed.target.text, { Allow: '' });
    throw new ServiceError('not_found', {
      text: {
        en: 'There is nothing at this path. GET /api/v1 is the map of the API.',
        fr: 'Il n’y a rien à cette adresse. GET /api/v1 est la carte de l’API.',
      },
    });
  }
  const methods = [...new Set(targets.flatMap(methodsOf))];
  const isCrossOrigin = targets.some((one) => 'crossOrigin' in one && one.crossOrigin);
  if (target.method === 'OPTIONS' && isCrossOrigin) return preflight(methods);
  const allowed = methods.join(', ');
  throw new TransportError(405, methodRefusal(target.method, allowed), {
    Allow: allowed,
    ...(isCrossOrigin ? anyOrigin : {}),
  });
}

/** Valid for a day. `*` stands for any header except `Authorization` (Fetch standard, "CORS protocol"). */
function preflight(methods: readonly string[]): RouteReply {
  const headers = {
    ...anyOrigin,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': '86400',
  };
  return { status: 204, body: undefined, headers };
}
