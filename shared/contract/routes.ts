import type { Route } from './route.ts';
import { accountRoute, apiMapRoute, englishReferenceRoute, frenchReferenceRoute } from './routes/account.ts';
import { getEmailRoute, sendEmailRoute } from './routes/emails.ts';

/** The contract: every endpoint that exists, and none that does not. */
export const routes: readonly Route[] = [
  apiMapRoute,
  accountRoute,
  englishReferenceRoute,
  frenchReferenceRoute,
  sendEmailRoute,
  getEmailRoute,
];
