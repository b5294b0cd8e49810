import { setTimeout as sleep } from 'node:timers/promises';
import { parseSettings } from '../../../infra/settings.ts';
import { emailLists } from '../../../shared/platform/config.ts';
import { itemsOf, keptText, type Stored, storedOf } from '../costs/storage.ts';
import { load } from '../load.ts';
import type { Row } from '../report.ts';
import { type BenchService, startBenchService } from '../service.ts';
import {
  type Copied,
  countCopies,
  countDelivered,
  countLongest,
  countSettlement,
  type Delivered,
  sumOf,
  type Taken,
  type UntilAnswer,
} from './counts.ts';
import { type Sender, senderOf } from './sender.ts';

type EmailList = (typeof emailLists)[number];

/** The setting of a deployment that names none. */
export const defaultList: EmailList = parseSettings({}).emailList;

export const nameOfList = (list: EmailList): string =>
  list === defaultList ? `list "${list}", the default` : `list "${list}"`;

/** An email to one person without a tag, sent and delivered. */
export interface Counted {
  readonly untilAnswer: UntilAnswer;
  readonly delivered: Delivered;
  /** Delivered, with its share of the settlement of its minute. */
  readonly inAll: Taken;
  readonly stored: Stored;
}

/** What one setting of `emailList` costs. */
export interface ListCounts {
  readonly list: EmailList;
  readonly plain: Counted;
  /** With an `Idempotency-Key`; counted for the default list. */
  readonly keyed?: Counted;
  /** An email that is the only one of its workspace in its minute, its settlement included. */
  readonly lone: { readonly settlementInTurn: number; readonly inAll: Taken };
  /** The copying of an email to the bucket, with some hundred others of its day. */
  readonly copied: Copied;
}

/** Counts each setting on a service of its own, the default first. */
export async function measureLists(): Promise<ListCounts[]> {
  const counts: ListCounts[] = [];
  for (const list of [defaultList, ...emailLists.filter((other) => other !== defaultList)]) {
    const service = await startBenchService(undefined, { EMAIL_LIST: list });
    try {
      counts.push({ list, ...(await measureList(service, { isKeyed: list === defaultList })) });
    } finally {
      await service.stop();
    }
  }
  return counts;
}

/** A hundred emails by ten clients. */
const burst = { samples: 100, clients: 10 };

async function measureList(
  service: BenchService,
  { isKeyed }: { isKeyed: boolean },
): Promise<Omit<ListCounts, 'list'>> {
  const sender = senderOf(service);
  await load({ clients: 4, total: 20, expect: 202 }, sender);
  const before = await emailsOf(service);
  const plain = await measureWay(service, sender);
  const between = await emailsOf(service);
  const keyed = isKeyed ? await measureWay(service, senderOf(service, { isKeyed })) : null;
  const after = await emailsOf(service);
  const settlement = await countSettlement(service, after.count);
  const whole = (way: Awaited<ReturnType<typeof measureWay>>, from: Emails, to: Emails): Counted => {
    const known = new Set(from.items.map(keyOf));
    const items = to.items.filter((item) => !known.has(keyOf(item)));
    const stored = storedOf(items, to.count - from.count, kindOf);
    return { ...way, inAll: sumOf(way.delivered, settlement), stored };
  };
  // A new minute: the settled one takes no more emails.
  await sleep(60_000 - (Date.now() % 60_000));
  const delivered = await countDelivered(service, sender, { samples: 1, clients: 1 });
  const ownSettlement = await countSettlement(service, 1);
  const { count } = await emailsOf(service);
  const copied = await countCopies(service, count);
  return {
    copied,
    plain: whole(plain, before, between),
    ...(keyed && { keyed: whole(keyed, between, after) }),
    lone: { settlementInTurn: ownSettlement.inTurn, inAll: sumOf(delivered, ownSettlement) },
  };
}

async function measureWay(service: BenchService, send: Sender) {
  const untilAnswer = await countLongest(service, send);
  return { untilAnswer, delivered: await countDelivered(service, send, burst) };
}

type Emails = Awaited<ReturnType<typeof emailsOf>>;

/** All items of the table when everything is delivered, and the number of emails among them. */
async function emailsOf(service: BenchService) {
  await service.quiet();
  const items = await itemsOf(service);
  const count = items.filter((item) => kindOf(item.pk?.S ?? '', item.sk?.S ?? '') === 'email').length;
  return { items, count };
}

const keyOf = (item: Emails['items'][number]): string => `${item.pk?.S} ${item.sk?.S}`;

/** Which item of an email it is, by its keys (docs/design/table.md). */
function kindOf(pk: string, sk: string): string | undefined {
  if (/#EMAIL#[^#]+$/.test(pk)) return sk === 'EMAIL' ? 'email' : 'outcome';
  if (pk.includes('#SENDS#')) return 'attempt';
  if (pk.includes('#EMAILS#')) return 'entry of a list';
  return pk.includes('#CLAIM#') ? 'claim' : undefined;
}

/** Calls, calls in turn, write and read units of an email (docs/design/cost.md). */
const budgets = { calls: 7, inTurn: 5, writeUnits: 5.2, readUnits: 4 };

const most = (what: string, value: number, budget: number, measured = value.toFixed(2)): Row => ({
  what,
  measured,
  budget: String(budget),
  ok: value <= budget,
});

/** The default first; every setting is held against the budgets. */
export const listRows = (counts: readonly ListCounts[]): Row[] =>
  counts.flatMap(({ list, plain, keyed, lone, copied }) => {
    const name = nameOfList(list);
    const { untilAnswer, inAll } = plain;
    return [
      most(
        `AWS calls of a send until its answer, SES included, ${name}`,
        untilAnswer.calls,
        budgets.calls,
        String(untilAnswer.calls),
      ),
      most(
        `of which one after another, ${name}`,
        untilAnswer.inTurn.length,
        budgets.inTurn,
        `${untilAnswer.inTurn.length} (${untilAnswer.inTurn.join(', ')})`,
      ),
      most(`AWS calls per delivered email in all, its settlement included, ${name}`, inAll.calls, budgets.calls),
      most(`write units per delivered email in all, ${name}`, inAll.writeUnits, budgets.writeUnits),
      most(`read units per delivered email in all, ${name}`, inAll.readUnits, budgets.readUnits),
      ...(keyed ? [{ what: `a send with an Idempotency-Key, ${name}`, measured: takenText(keyed.inAll) }] : []),
      { what: `an email alone in its minute, ${name}`, measured: takenText(lone.inAll) },
      { what: `kept of an email in the table, ${name}`, measured: keptText(plain.stored) },
      ...(copied.emails === 0
        ? []
        : [{ what: `copied of an email to the bucket, ${name}`, measured: copiedText(copied) }]),
    ];
  });

const copiedText = ({ emails, files, fileBytes, processorMilliseconds, ...taken }: Copied): string =>
  `${fileBytes.toFixed(0)} B of a file with ${(1 / files).toFixed(0)} others; ${taken.writeUnits.toFixed(3)} write, ` +
  `${taken.readUnits.toFixed(2)} read units, ${processorMilliseconds.toFixed(1)} ms of processor, for ${emails} emails`;

const takenText = ({ calls, writeUnits, readUnits }: Taken): string =>
  `${calls.toFixed(2)} AWS calls, ${writeUnits.toFixed(2)} write, ${readUnits.toFixed(2)} read units, delivered and settled`;
