import { referenceRoutes } from '../../../shared/contract/routes/account.ts';
import { type HttpHandler, http } from '../../../shared/http/endpoint.ts';
import { defaultLanguage, inEachLanguage, languageTags } from '../../../shared/language/languages.ts';
import { getReference } from '../../../shared/services/apiReference.ts';

const inLanguage = inEachLanguage((language) => http(referenceRoutes[language], () => getReference(language)));

/** The language is part of the path: each has its own route. */
export const handler: HttpHandler = (event, context) => {
  const language = languageTags.find((tag) => referenceRoutes[tag].path === event.resource) ?? defaultLanguage;
  return inLanguage[language](event, context);
};
