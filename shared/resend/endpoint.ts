import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { resendEndpoint } from '../contract/endpoints.ts';
import { ServiceError } from '../contract/errors.ts';
import { targetsAt } from '../contract/routing.ts';
import { headerOf } from '../http/authenticate.ts';
import type { HttpHandler } from '../http/endpoint.ts';
import { ForwardedRequest } from '../http/forwardedRequest.ts';
import { transportable, wireError } from '../http/response.ts';
import { languageOf } from '../language/languages.ts';
import { text, textsOf } from '../language/text.ts';
import { stopwatch } from '../platform/clock.ts';
import { takeSettings } from '../platform/config.ts';
import { withinInvocation } from '../platform/deadline.ts';
import { addLogFields, logger, withLogFields } from '../platform/logger.ts';
import { resendError } from './internal/resendError.ts';
import { clientCallOf, RestRefusal, type Translation } from './internal/translation.ts';
import { translations } from './internal/translations.ts';

const texts = textsOf({
  noCall: {
    en: 'This service has no such call for the resend client: docs/resend.md lists those it has.',
    fr: 'Ce service n’a pas cet appel pour le client resend : docs/resend.md énumère ceux qu’il a.',
  },
});

const unanswered = text({
  en: 'The API did not answer in time: it is unknown whether the call was carried out. Check its effect before you repeat it; with the same idempotency key, emails are not sent twice.',
  fr: 'L’API n’a pas répondu à temps : on ne sait pas si l’appel a été exécuté. Vérifiez son effet avant de le répéter ; avec la même clé d’idempotence, les e-mails ne partent pas deux fois.',
});

/**
 * The calls of the `resend` client as a Lambda handler: each is answered by calls of the REST API with the caller's key,
 * so that it has no rights of its own. Answers and errors have the client's shapes.
 */
export const answerResendClient: HttpHandler = (event, context) => {
  const { requestId } = event.requestContext;
  const fields = { request_id: requestId, function_request_id: context.awsRequestId, route: resendEndpoint.id };
  return withLogFields(fields, () => withinInvocation(context, () => answer(event)));
};

async function answer(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const elapsed = stopwatch();
  const language = languageOf(headerOf(event, 'accept-language'));
  const request = new ForwardedRequest(event, language, { agent: 'mailroom-resend', unanswered });
  const result = await answerOrError(request);
  logger.info('call', { status: result.statusCode, duration_ms: Math.round(elapsed()) });
  return result;
}

async function answerOrError(request: ForwardedRequest): Promise<APIGatewayProxyResult> {
  try {
    takeSettings(request.event.stageVariables);
    return await transportable(await translated(request), request.event);
  } catch (error) {
    return refusal(request, error);
  }
}

/** What is refused here and not by the REST API is refused after the key was checked and the request counted. */
async function translated(request: ForwardedRequest): Promise<APIGatewayProxyResult> {
  try {
    const { translation, parameters } = translationOf(request.event);
    addLogFields({ resend_call: `${translation.method} ${translation.path}` });
    const call = clientCallOf(request, parameters);
    const body = await translation.answer(request, call);
    if (!request.isCounted) await request.admit(resendEndpoint);
    return { statusCode: 200, headers: { ...headersOf(request), ...call.answerHeaders }, body: JSON.stringify(body) };
  } catch (error) {
    if (!request.isCounted) await request.admit(resendEndpoint);
    throw error;
  }
}

/** `HEAD` is a `GET` without its body (RFC 9110 section 9.3.2). */
function translationOf({ path, httpMethod }: APIGatewayProxyEvent): {
  translation: Translation;
  parameters: Readonly<Record<string, string>>;
} {
  const method = httpMethod === 'HEAD' ? 'GET' : httpMethod;
  const known = translations.filter((one) => one.method === method);
  const [found] = targetsAt(known, path.slice(path.indexOf(root) + root.length));
  if (!found) throw new ServiceError('not_found', { text: texts.noCall });
  return { translation: found.target, parameters: found.parameters };
}

const root = resendEndpoint.path.replace('/{proxy+}', '');

function refusal(request: ForwardedRequest, error: unknown): APIGatewayProxyResult {
  const { language, requestId } = request;
  if (error instanceof RestRefusal) {
    const { status, headers } = error;
    return { statusCode: status, headers: { ...headersOf(request), ...headers }, body: resendError(error) };
  }
  const { statusCode: status, body, headers } = wireError(error, { language, requestId }, headersOf(request));
  if (status >= 500) logger.error('The call of the resend client failed.', error as Error);
  return { statusCode: status, ...(headers && { headers }), body: resendError({ status, body }) };
}

const headersOf = (request: ForwardedRequest): Record<string, string> => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': request.requestId,
  'Content-Language': request.language,
  ...request.rateHeaders(),
});
