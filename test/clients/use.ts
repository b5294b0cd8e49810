/** What a customer writes with generated clients; the test generates them beside this file, compiles and runs it. */
import createClient from 'openapi-fetch';
import type { paths } from './fetch.d.ts';
import { emailsSend } from './sdk';
import { client } from './sdk/client.gen';

const { BASE_URL: baseUrl = '', API_KEY: key = '', TO: to = '' } = process.env;
const email = { from: 'Acme <hello@example.com>', to, subject: 'Hello' };

// The document says where the service is; a key is given once, and sent in one header.
client.setConfig({ auth: () => key });
const sent = await emailsSend({ body: { ...email, html: '<p>It works.</p>' } });
const refused = await emailsSend({ body: { ...email, from: 'hello@elsewhere.example', text: 'It works.' } });

// @ts-expect-error: one of html and text is required.
const bodiless = await emailsSend({ body: email });

const mail = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const read = await mail.GET('/api/v1/emails/{id}', { params: { path: { id: sent.data?.id ?? '' } } });
const people = await mail.GET('/api/v1/subscribers', { params: { query: { limit: 1 } } });
// @ts-expect-error: one of html and text is required.
await mail.POST('/api/v1/emails', { body: email });

const domains = refused.error?.name === 'unverified_from_domain' ? refused.error.error.details.verifiedDomains : [];
console.log(
  JSON.stringify({
    sent: sent.data?.object,
    refused: refused.error?.name,
    domains,
    bodiless: bodiless.error?.statusCode,
    recipient: read.data?.recipients[0]?.email,
    hasMore: people.data?.has_more,
  }),
);
