import { errorOf } from './error.js';
import { type Client, createClient, createConfig } from './gen/client/index.js';
import { keyedCalls } from './gen/keyed.gen.js';
import { Operations } from './gen/sdk.gen.js';
import type { Attachment, EmailRequest } from './gen/types.gen.js';
import { send } from './transport.js';
import { bytesOfBase64 } from './webhook.js';

export { MailroomError } from './error.js';
export type * from './gen/types.gen.js';
export { verifyWebhook } from './webhook.js';

/** `baseUrl`: the deployment, without `/api/v1`. `language`: of the messages of errors. */
export interface MailroomOptions {
  readonly apiKey?: string | undefined;
  readonly baseUrl: string;
  readonly language?: 'en' | 'fr';
}

/** The API, one method for each operation: `mailroom.emails.send({ body })`. Lists can be read with `for await`. */
export class Mailroom extends Operations {
  constructor(given: MailroomOptions) {
    const { apiKey, baseUrl: url, language = 'en' } = given ?? {};
    if (!url) throw new TypeError('There is no baseUrl: give options, new Mailroom({ baseUrl, apiKey }).');
    const options = { baseUrl: url.replace(/\/+$/, ''), auth: apiKey, headers: { 'Accept-Language': language } };
    const client = createClient(createConfig({ ...options, throwOnError: true, fetch: send as typeof fetch }));
    super({ client });
    client.interceptors.error.use((error, answer) => (answer && !answer.ok ? errorOf(error, answer) : error));
    addPages(client);
    addKeysAndUploads(client, this.uploads);
  }
}

/** Lets the promise of a list be read with `for await`, page by page. */
function addPages(client: Client): void {
  const get = client.get as (options: { query?: object }) => Promise<{ data: unknown[]; next_cursor: string | null }>;
  client.get = ((options: { query?: object }) => {
    const first = get(options);
    const entries = async function* () {
      let page = await first;
      yield* page.data;
      while (page.next_cursor) {
        page = await get({ ...options, query: { ...options.query, after: undefined, cursor: page.next_cursor } });
        yield* page.data;
      }
    };
    return Object.assign(first, { [Symbol.asyncIterator]: entries });
  }) as Client['get'];
}

/** Gives each call that takes one an `Idempotency-Key`, the same for all its tries, and uploads large files first. */
function addKeysAndUploads(client: Client, uploads: Operations['uploads']): void {
  const post = client.post as (options: { url: string; headers?: HeadersInit; body?: unknown }) => Promise<unknown>;
  client.post = (async (options) => {
    const headers = new Headers(options.headers);
    const key = headers.get('Idempotency-Key') ?? crypto.randomUUID();
    if (keyedCalls.has(options.url)) headers.set('Idempotency-Key', key);
    const sends = /^\/api\/v1\/emails(\/batch)?$/.test(options.url);
    return post({ ...options, headers, ...(sends && { body: await withUploads(options.body, uploads) }) });
  }) satisfies typeof post as Client['post'];
}

async function withUploads(given: unknown, uploads: Operations['uploads']): Promise<unknown> {
  const body = structuredClone(given);
  // The bytes of files that the body may hold; further files are uploaded.
  let room = 3_000_000;
  for (const file of ([body].flat() as EmailRequest[]).flatMap((email) => email?.attachments ?? [])) {
    const size = ((file.content?.length ?? 0) * 3) / 4;
    if (size > room) await upload(file, uploads);
    else room -= size;
  }
  return body;
}

async function upload(file: Attachment, uploads: Operations['uploads']): Promise<void> {
  const bytes = bytesOfBase64(file.content ?? '');
  const body = { filename: file.filename ?? '', size: bytes.length, content_type: file.content_type ?? null };
  const { id, url, method, headers } = await uploads.create({ body });
  const answer = await send(new Request(url, { method, headers, body: bytes }));
  if (!answer.ok) throw errorOf(await answer.text(), answer);
  Object.assign(file, { content: null, upload_id: id });
}
