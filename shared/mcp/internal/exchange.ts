import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Catalog } from '../../documentation/catalog/catalog.ts';
import { ForwardedRequest } from '../../http/forwardedRequest.ts';
import type { Language } from '../../language/languages.ts';
import { text } from '../../language/text.ts';
import { selectedTools } from './toolSelection.ts';

const unanswered = text({
  en: 'The API did not answer in time: it is unknown whether the call was carried out. If it was `send_email`, repeat exactly the same call: it does not send twice. For any other tool, check its effect first.',
  fr: 'L’API n’a pas répondu à temps : on ne sait pas si l’appel a été exécuté. Si c’était `send_email`, répétez exactement le même appel : il n’envoie pas deux fois. Pour tout autre outil, vérifiez d’abord son effet.',
});

/** One HTTP request of an MCP client, whose tools are calls of the REST API. */
export class Exchange extends ForwardedRequest {
  readonly catalog: Catalog;
  #tools: ReadonlySet<string> | undefined;

  constructor(event: APIGatewayProxyEvent, language: Language, catalog: Catalog) {
    super(event, language, { agent: 'mailroom-mcp', unanswered });
    this.catalog = catalog;
  }

  /** The names of the tools that this address offers. Throws for an address that is not understood. */
  get tools(): ReadonlySet<string> {
    this.#tools ??= selectedTools(this.catalog, this.event);
    return this.#tools;
  }
}
