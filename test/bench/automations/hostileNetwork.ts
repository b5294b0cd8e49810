import { provider } from '../../../shared/email/ses.ts';
import { UnansweredRequest } from '../../../shared/platform/httpClient.ts';
import { sqs } from '../../../shared/queue/sqs.ts';
import { documents } from '../../../shared/store/table/table.ts';
import { type HostileSettings, type KillOrder, randomFrom } from './hostileSettings.ts';

/**
 * Loaded before the service (`node --import`): its calls of AWS fail as over a hostile network, messages are queued twice,
 * and the process is killed at one of its calls, before it or after it, where no code of ours can do anything.
 */

const settings: HostileSettings = JSON.parse(process.env.HOSTILE_NETWORK ?? '{}');
const random = randomFrom(settings.seed ?? 1);
let calls = 0;
let lastCall = Number.POSITIVE_INFINITY;

/** The driver decides when the process has how many calls left. */
process.on('message', ({ callsLeft }: KillOrder) => {
  lastCall = calls + callsLeft;
});
process.channel?.unref();

type Next = (args: object) => Promise<object>;

const hostile =
  (next: Next, { commandName = '' }: { commandName?: string }): Next =>
  async (args) => {
    // Receiving and deleting messages is Lambda's part on AWS.
    if (/^(Receive|Delete|ChangeMessage)/.test(commandName) && /Message/.test(commandName)) return next(args);
    calls += 1;
    const isLast = calls === lastCall;
    if (isLast && random() < 0.5) die();
    if (random() < (settings.neverSent ?? 0)) throw new UnansweredRequest(new Error('The network is hostile.'), true);
    const answer = await next(args);
    if (isLast) die();
    if (commandName.startsWith('SendMessage') && random() < (settings.queuedTwice ?? 0)) await next(args);
    if (random() < (settings.answerLost ?? 0)) throw new UnansweredRequest(new Error('The network is hostile.'), false);
    return answer;
  };

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered before anything else happens.
  for (;;);
}

const place = { step: 'deserialize', name: 'hostileNetwork', priority: 'low' } as const;
documents.middlewareStack.add(hostile as never, place);
sqs.middlewareStack.add(hostile as never, place);
provider.middlewareStack.add(hostile as never, place);
