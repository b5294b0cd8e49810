import { methodRefusal } from '../../shared/contract/methods.ts';
import type { Language } from '../../shared/language/languages.ts';
import { textsOf } from '../../shared/language/text.ts';
import { deployedBodyMegabytes, gatewayBody, tooLarge } from '../gatewayErrors.ts';
import { headersOf, referencesTo } from './headers.ts';

const texts = textsOf({
  MethodNotAllowed: {
    en: '`validation_error`: the path exists, with other methods.',
    fr: '`validation_error` : le chemin existe, avec d’autres méthodes.',
  },
  TooLarge: {
    en: '`validation_error`: the request body is larger than the gateway takes. It answers before the key is looked at, and in every language.',
    fr: '`validation_error` : le corps de la requête dépasse ce que la passerelle accepte. Elle répond avant de regarder la clé, et dans toutes les langues.',
  },
});

type ResponseName = keyof typeof texts;

export const responseReference = (name: ResponseName) => ({ $ref: `#/components/responses/${name}` });

/** Refusals that are the same for every route; their code is that of any other invalid request. */
export function responseComponents(language: Language): Record<ResponseName, unknown> {
  const schema = { $ref: '#/components/schemas/ValidationError' };
  const contentOf = (example: unknown) => ({ 'application/json': { schema, example } });
  return {
    MethodNotAllowed: {
      description: texts.MethodNotAllowed[language],
      headers: headersOf(['Allow']),
      content: contentOf(refused(405, methodRefusal('PUT', 'GET, HEAD, POST')[language])),
    },
    TooLarge: {
      description: texts.TooLarge[language],
      headers: referencesTo(['X-RateLimit-Limit']),
      content: contentOf(gatewayBody(tooLarge(deployedBodyMegabytes), '')),
    },
  };
}

function refused(statusCode: number, message: string) {
  const code = 'validation_error';
  return { error: { code, message, details: { issues: [{ path: '', message }] } }, statusCode, message, name: code };
}
