import { referenceRoutes } from '../../../shared/contract/routes/account.ts';
import { type Endpoint, http } from '../../../shared/http/endpoint.ts';
import { defaultLanguage, inEachLanguage, languageTags } from '../../../shared/language/languages.ts';
import { getReference } from '../../../shared/services/account/reference.ts';

const inLanguage = inEachLanguage((language) => http(referenceRoutes[language], () => getReference(language)));

/** Each language has a path of its own, and the path tells which. */
export const handler: Endpoint = (event, context) => {
  const language = languageTags.find((tag) => referenceRoutes[tag].path === event.resource) ?? defaultLanguage;
  return inLanguage[language](event, context);
};
