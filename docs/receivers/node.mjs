// A receiver of Mailroom's webhooks. Needs Node 18 or newer and nothing else.
//   WEBHOOK_SECRET=whsec_… PORT=3000 node node.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const toleranceSeconds = 300;

/** True when one of the signatures is ours and the time is not older than five minutes. `body` is what arrived, untouched. */
export function isGenuine(header, body, secret, nowSeconds = Date.now() / 1000) {
  const pairs = String(header ?? '')
    .split(',')
    .map((pair) => pair.trim().split('='));
  const time = pairs.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d+$/.test(time) || nowSeconds - Number(time) > toleranceSeconds) return false;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  return pairs
    .filter(([name, value]) => name === 'v1' && /^[0-9a-f]{64}$/.test(value))
    .some(([, value]) => timingSafeEqual(Buffer.from(value, 'hex'), expected));
}

/** Events come at least once: remember the ids that you have dealt with, in your database. */
const seen = new Set();

function handle(event) {
  if (seen.has(event.id)) return;
  seen.add(event.id);
  console.log(event.type, JSON.stringify(event.data));
}

export const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers['service-signature'], body, process.env.WEBHOOK_SECRET)) {
    response.writeHead(400).end();
    return;
  }
  // Answer 2xx within 15 seconds; put what takes longer on a queue of your own.
  response.writeHead(204).end();
  handle(JSON.parse(body.toString('utf8')));
});

server.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1', () =>
  console.log('listening', server.address().port),
);
