import type { Input, Result, Route } from '../contract/route.ts';
import type { Context, KeyActor, Verb } from '../services/context.ts';
import { answerOnce } from '../services/keptAnswers.ts';
import { callVerb, endpoint, type HttpHandler } from './endpoint.ts';

/**
 * The verb of a route that keeps its answers as a Lambda handler: a call that is repeated gets the first answer. `answerOf`
 * makes the answer of what is kept and of the input, for a secret or an address that must not be stored as it is.
 */
export function keeping<R extends Route>(
  route: R,
  verb: Verb<R>,
  answerOf: (context: Context<KeyActor>, kept: Result<R>, input: Input<R>) => Promise<Result<R>> = async (_, kept) =>
    kept,
): HttpHandler {
  return endpoint(route, async (call) => {
    const { path, headers, body } = call.request;
    const key = headers?.['idempotency-key'];
    const request = { route: route.id, path, body };
    let isReplay = false;
    const once = async (context: Context<KeyActor>, input: Input<R>): Promise<Result<R>> => {
      const act = (reservedId?: string) =>
        verb({ ...context, ...(reservedId !== undefined && { reservedId }) } as Parameters<Verb<R>>[0], input);
      if (typeof key !== 'string') return answerOf(context, await act(), input);
      const kept = await answerOnce(context, { key, request }, act);
      isReplay = kept.isReplay;
      return answerOf(context, kept.answer, input);
    };
    const reply = await callVerb(route, once as Verb<R>, call);
    return isReplay ? { ...reply, headers: { ...reply.headers, 'Idempotent-Replay': 'true' } } : reply;
  });
}
