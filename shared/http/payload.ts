import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { textsOf } from '../language/text.ts';
import { headerOf } from './credentials.ts';
import { TransportError } from './wire.ts';

const compress = promisify(gzip);

/** What Lambda answers at most (AWS Lambda quotas), measured on its JSON, in which a JSON body is an escaped string. */
export const maxAnswerBytes = 6_291_556;
/** Smaller answers are not worth the time that compressing them takes; a page comes to people, by slower ways. */
const worthCompressingCharacters = 500_000;
export const worthCompressingPage = 50_000;

/**
 * The answer in a form that Lambda can hand over: compressed when it is large and the client takes gzip. One that is too
 * large in any form that the client takes becomes a 413 that says what to do.
 */
export async function transportable(
  result: APIGatewayProxyResult,
  event: Pick<APIGatewayProxyEvent, 'headers'>,
  worthCompressing = worthCompressingCharacters,
): Promise<APIGatewayProxyResult> {
  if (result.body.length < worthCompressing) return result;
  const acceptsGzip = takesGzip(headerOf(event, 'accept-encoding'));
  // What has no pattern grows by a tenth: base64 costs more than gzip saves.
  const forms = acceptsGzip ? [await compressed(result), result] : [result];
  const fitting = forms.find((form) => Buffer.byteLength(JSON.stringify(form)) <= maxAnswerBytes);
  if (fitting) return fitting;
  throw new TransportError(413, acceptsGzip ? texts.split : texts.compress);
}

async function compressed(result: APIGatewayProxyResult): Promise<APIGatewayProxyResult> {
  const body = (await compress(result.body)).toString('base64');
  const headers = {
    ...result.headers,
    'Content-Encoding': 'gzip',
    Vary: [result.headers?.Vary, 'Accept-Encoding'].filter(Boolean).join(', '),
  };
  return { ...result, headers, body, isBase64Encoded: true };
}

/** RFC 9110, 12.5.3; a client that sends no `Accept-Encoding` is taken to understand none. */
export function takesGzip(acceptEncoding: string): boolean {
  const weights = new Map(acceptEncoding.toLowerCase().split(',').map(weightOf));
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}

function weightOf(text: string): [string, number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
}

const texts = textsOf({
  compress: {
    en: 'The answer is larger than the 6 MB that this service can send uncompressed: send "Accept-Encoding: gzip", or split the call.',
    fr: 'La réponse dépasse les 6 Mo que ce service peut envoyer sans compression : envoyez « Accept-Encoding: gzip », ou divisez l’appel.',
  },
  split: {
    en: 'The answer is larger than the 6 MB that this service can send, even compressed: split the call.',
    fr: 'La réponse dépasse les 6 Mo que ce service peut envoyer, même compressée : divisez l’appel.',
  },
});
