import { fallbackRoute } from '../../../shared/contract/routes/fallback.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { TransportError } from '../../../shared/http/wire.ts';
import { maxBodyBytes } from './gateway.ts';

const megabytes = maxBodyBytes / 1024 / 1024;

/** The answer to a body that the transport does not carry: counted, translated and headed like any other. */
export const handler = endpoint(fallbackRoute, async () => {
  throw new TransportError(413, {
    en: `The request body is larger than ${megabytes} MB.`,
    fr: `Le corps de la requête dépasse ${megabytes} Mo.`,
  });
});
