import type { Route } from '../contract/route.ts';
import type { Verb } from '../services/context.ts';
import * as cursors from './cursor.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { answer } from './verb.ts';

/** The verb of a list that goes on from a cursor, as a Lambda handler. Its function needs the service secret. */
export function paged<R extends Route>(route: R, verb: Verb<R>): Endpoint {
  return endpoint(route, (call) => answer(route, verb, call, cursors));
}
