import { setTimeout as sleep } from 'node:timers/promises';
import { parseSettings } from '../../../infra/settings.ts';
import { emailLists } from '../../../shared/platform/config.ts';
import { itemsOf, type Stored, storedOf } from '../costs/storage.ts';
import { load } from '../load.ts';
import { type BenchService, startBenchService } from '../service.ts';
import {
  countDelivered,
  countLongest,
  countSettlement,
  countUntilAnswer,
  type Delivered,
  sumOf,
  type Taken,
  type UntilAnswer,
} from './counts.ts';
import { type Sender, senderOf } from './sender.ts';

export type EmailList = (typeof emailLists)[number];

/** What a deployment that says nothing keeps. */
export const defaultList: EmailList = parseSettings({}).emailList;

/** An email to one person without a tag, sent and delivered. */
export interface Counted {
  readonly untilAnswer: UntilAnswer;
  readonly delivered: Delivered;
  /** Delivered, and its share of the settlement of its minute. */
  readonly inAll: Taken;
  readonly stored: Stored;
}

/** What a setting of the list of emails takes. */
export interface ListCounts {
  readonly list: EmailList;
  /** The first send of a process. */
  readonly first: UntilAnswer;
  readonly plain: Counted;
  /** With an `Idempotency-Key`. */
  readonly keyed: Counted;
  /** An email that is the only one of its workspace and minute, its settlement, and both. */
  readonly lone: {
    readonly delivered: Taken;
    readonly settlement: Taken & { readonly inTurn: number };
    readonly inAll: Taken;
  };
}

/** Counts each setting on a service of its own, the default first. */
export async function measureLists(): Promise<ListCounts[]> {
  const counts: ListCounts[] = [];
  for (const list of [defaultList, ...emailLists.filter((other) => other !== defaultList)]) {
    const service = await startBenchService(undefined, { EMAIL_LIST: list });
    try {
      counts.push({ list, ...(await measureList(service)) });
    } finally {
      await service.stop();
    }
  }
  return counts;
}

/** A hundred emails by ten clients. */
const burst = { samples: 100, clients: 10 };

async function measureList(service: BenchService): Promise<Omit<ListCounts, 'list'>> {
  const [plainSender, keyedSender] = [senderOf(service), senderOf(service, { isKeyed: true })];
  const first = await countUntilAnswer(service, plainSender);
  await load({ clients: 4, total: 20, expect: 202 }, plainSender);
  const before = await emailsOf(service);
  const plain = await measureWay(service, plainSender);
  const between = await emailsOf(service);
  const keyed = await measureWay(service, keyedSender);
  const after = await emailsOf(service);
  const settlement = await countSettlement(service, after.count);
  const whole = (way: Awaited<ReturnType<typeof measureWay>>, from: Emails, to: Emails): Counted => {
    const known = new Set(from.items.map(keyOf));
    const items = to.items.filter((item) => !known.has(keyOf(item)));
    const stored = storedOf(items, to.count - from.count, kindOf);
    return { ...way, inAll: sumOf(way.delivered, settlement), stored };
  };
  // The minute that was settled takes nothing more.
  await sleep(60_000 - (Date.now() % 60_000));
  const delivered = await countDelivered(service, plainSender, { samples: 1, clients: 1 });
  const ownSettlement = await countSettlement(service, 1);
  const lone = { delivered, settlement: ownSettlement, inAll: sumOf(delivered, ownSettlement) };
  return { first, plain: whole(plain, before, between), keyed: whole(keyed, between, after), lone };
}

async function measureWay(service: BenchService, send: Sender) {
  const untilAnswer = await countLongest(service, send);
  return { untilAnswer, delivered: await countDelivered(service, send, burst) };
}

type Emails = Awaited<ReturnType<typeof emailsOf>>;

/** All items of the table when everything is delivered, and how many emails there are. */
async function emailsOf(service: BenchService) {
  await service.quiet();
  const items = await itemsOf(service);
  const count = items.filter((item) => kindOf(item.pk?.S ?? '', item.sk?.S ?? '') === 'email').length;
  return { items, count };
}

const keyOf = (item: Emails['items'][number]): string => `${item.pk?.S} ${item.sk?.S}`;

/** Which item of an email it is, by its keys (docs/decisions/0002-one-table.md). */
function kindOf(pk: string, sk: string): string | undefined {
  if (/#EMAIL#[^#]+$/.test(pk)) return sk === 'EMAIL' ? 'email' : 'outcome';
  if (pk.includes('#SENDS#')) return 'attempt';
  if (pk.includes('#EMAILS#')) return 'entry of a list';
  return pk.includes('#CLAIM#') ? 'claim' : undefined;
}
