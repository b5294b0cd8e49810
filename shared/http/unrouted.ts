import { ServiceError } from '../contract/errors.ts';
import { matchPath } from '../contract/match.ts';
import { methodRefusal, methodsOf } from '../contract/methods.ts';
import { pages } from '../contract/pages.ts';
import { routes } from '../contract/routes.ts';
import type { Call, Reply } from './call.ts';
import { TransportError } from './wire.ts';

/** 405 with `Allow` for a path that exists with other methods (RFC 9110 section 15.5.6), 404 for any other. */
export async function refuseUnrouted({ target }: Pick<Call, 'target'>): Promise<Reply> {
  const allowed = [...routes, ...pages].filter(({ path }) => matchPath(path, target.path)).flatMap(methodsOf);
  if (allowed.length === 0) {
    throw new ServiceError('not_found', {
      text: { en: 'There is nothing at this path.', fr: 'Il n’y a rien à cette adresse.' },
    });
  }
  const names = [...new Set(allowed)].join(', ');
  throw new TransportError(405, methodRefusal(target.method, names), { Allow: names });
}
