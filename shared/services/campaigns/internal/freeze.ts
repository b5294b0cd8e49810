import type { Exclusion } from '../../../domain/audience.ts';
import {
  type Campaign,
  divide,
  type Freeze,
  type Freezer,
  type FrozenGroup,
} from '../../../domain/campaign/campaign.ts';
import { chunkPositions } from '../../../domain/campaign/slice.ts';
import { remainingMilliseconds } from '../../../platform/deadline.ts';
import { putChunks } from '../../../store/campaign/frozenContent.ts';
import type { Selection } from '../../audience.ts';
import { campaignExpiry } from '../counters.ts';
import { audienceTooLarge, tooFewPeople } from './checks.ts';
import { inOrder } from './inOrder.ts';

/** Items of one batch write (BatchWriteItem: 25 items, 16 MB). */
const chunksOfWrite = 25;
const writesAtOnce = 8;

/** Each freeze writes under an id of its own, so that two at the same time never mix. */
export interface FreezeTarget {
  readonly campaign: Campaign;
  readonly freezeId: string;
  readonly at: Date;
  readonly freezer: Freezer;
}

export interface FrozenPeople {
  readonly groups: Freeze['groups'];
  readonly people: number;
  /** Addresses of the requested list that are not reached. */
  readonly excluded: readonly Exclusion[];
}

/**
 * Writes the selected people into chunks while reading them, with two pages of each stream and a few chunks in memory.
 * They are sorted by address, so that a person is found by a few reads (`findRecipient`). Beyond `most` people, which
 * is the plan's monthly quota, they are only counted. Throws `audience_too_large` when a call has no time left for more.
 */
export async function freezePeople(target: FreezeTarget, selection: Selection, most: number): Promise<FrozenPeople> {
  if (target.campaign.test) return freezeTest(target, selection, most);
  const writer = new ChunkWriter(target, 0);
  const excluded: Exclusion[] = [];
  let people = 0;
  const streams = selection.streams.map((stream) => membersOf(stream, excluded));
  // A requested list, of at most 50,000 addresses, has its own order.
  for await (const members of selection.requested > 0 ? sorted(streams) : inOrder(streams)) {
    people += members.length;
    checkTime(target, people);
    if (people <= most) await writer.add(members);
  }
  if (people <= most) await writer.end();
  return { groups: [{ variant: 0, people }], people, excluded };
}

/** For what follows: the last chunks, the transaction, the runners' messages and the answer. */
const reserveMilliseconds = 4000;

/** A worker that was slow by chance is tried again by its queue; the caller of a call is told what to do instead. */
function checkTime({ campaign, freezer }: FreezeTarget, people: number): void {
  if (freezer === 'call' && remainingMilliseconds() < reserveMilliseconds)
    throw audienceTooLarge(campaign, people, freezer);
}

async function* membersOf(stream: Selection['streams'][number], excluded: Exclusion[]): AsyncGenerator<string[]> {
  for await (const page of stream) {
    for (const exclusion of page.excluded) excluded.push(exclusion);
    yield [...page.members];
  }
}

async function* sorted(streams: readonly AsyncIterable<string[]>[]): AsyncGenerator<string[]> {
  const pages: string[][] = [];
  for (const stream of streams) for await (const page of stream) pages.push(page);
  yield pages.flat().sort();
}

/** A test divides the whole list by rank, so it holds all addresses in memory: about 30 bytes each. */
async function freezeTest(target: FreezeTarget, selection: Selection, most: number): Promise<FrozenPeople> {
  const { campaign } = target;
  const { test } = campaign;
  if (!test) throw new Error('A campaign without a test has no groups.');
  const pages = selection.streams.map(async (stream) => {
    const emails: string[] = [];
    for await (const { members } of stream) {
      checkTime(target, emails.length);
      for (const email of members) emails.push(email);
    }
    return emails;
  });
  const emails = (await Promise.all(pages)).flat().sort();
  if (emails.length > most || emails.length === 0) return { groups: [], people: emails.length, excluded: [] };
  checkTime(target, emails.length);
  const groups = divide({ campaignId: campaign.id, variants: test.variants, share: test.share }, emails);
  if (!groups) throw tooFewPeople();
  const variants = [...Array.from({ length: test.variants }, (_, variant) => variant), null];
  const frozen: FrozenGroup[] = [];
  let firstChunk = 0;
  for (const variant of variants) {
    const members = emails.filter((_, index) => groups[index] === variant);
    if (members.length === 0) continue;
    const writer = new ChunkWriter(target, firstChunk);
    await writer.add(members);
    await writer.end();
    firstChunk += Math.ceil(members.length / chunkPositions);
    frozen.push({ variant, people: members.length });
  }
  return { groups: frozen, people: emails.length, excluded: [] };
}

/** Divides a stream of addresses into chunks and writes each batch of chunks as soon as it is full. */
class ChunkWriter {
  readonly #target: FreezeTarget;
  #open: string[] = [];
  #next: number;
  #full: { number: number; emails: string[] }[] = [];
  #writing: Promise<void>[] = [];

  constructor(target: FreezeTarget, firstChunk: number) {
    this.#target = target;
    this.#next = firstChunk;
  }

  async add(emails: readonly string[]): Promise<void> {
    for (const email of emails) {
      this.#open.push(email);
      if (this.#open.length === chunkPositions) this.#cut();
    }
    if (this.#writing.length >= writesAtOnce) await this.#settle();
  }

  async end(): Promise<void> {
    if (this.#open.length > 0) this.#cut();
    if (this.#full.length > 0) this.#write();
    await this.#settle();
  }

  #cut(): void {
    this.#full.push({ number: this.#next, emails: this.#open });
    this.#next += 1;
    this.#open = [];
    if (this.#full.length === chunksOfWrite) this.#write();
  }

  #write(): void {
    const { campaign, freezeId, at } = this.#target;
    const frozen = { workspaceId: campaign.workspaceId, campaignId: campaign.id, freezeId };
    const write = putChunks(frozen, this.#full, campaignExpiry(at));
    // Awaited in #settle. Until then a rejection must not count as unhandled.
    write.catch(() => {});
    this.#writing.push(write);
    this.#full = [];
  }

  async #settle(): Promise<void> {
    const writing = this.#writing;
    this.#writing = [];
    await Promise.all(writing);
  }
}
