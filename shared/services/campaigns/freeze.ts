import { divide } from '../../domain/campaign/abTest.ts';
import type { Campaign, Freeze, FrozenGroup } from '../../domain/campaign/campaign.ts';
import { chunkPositions } from '../../domain/campaign/slice.ts';
import type { Exclusion } from '../../domain/segment/audience.ts';
import { putChunks } from '../../store/campaign/chunks.ts';
import type { Selection } from '../audience/select.ts';
import { tooFewPeople } from './refusals.ts';
import { campaignExpiry } from './run/retention.ts';

/** Chunks that a batch write takes: 25 items of 400 KB at most, 16 MB in all. */
const chunksOfWrite = 25;
const writesAtOnce = 8;

/** Where the people of a freeze are written: under an identifier of its own, so that two at once never mix. */
export interface FreezePlace {
  readonly campaign: Campaign;
  readonly freezeId: string;
  readonly at: Date;
}

export interface FrozenPeople {
  readonly groups: Freeze['groups'];
  readonly people: number;
  /** Of a list, whom it would not reach. */
  readonly excluded: readonly Exclusion[];
}

/**
 * Writes whom a selection reaches into chunks while it is read, all its streams side by side; memory holds a few chunks.
 * Beyond `most` people nothing more is written, only counted: there would be no quota for them.
 */
export async function freezePeople(place: FreezePlace, selection: Selection, most: number): Promise<FrozenPeople> {
  if (place.campaign.test) return freezeTest(place, selection, most);
  const writer = new ChunkWriter(place, 0);
  const excluded: Exclusion[] = [];
  let people = 0;
  await Promise.all(
    selection.streams.map(async (pages) => {
      for await (const page of pages) {
        const { members } = page;
        for (const exclusion of page.excluded) excluded.push(exclusion);
        people += members.length;
        if (people <= most) await writer.add(members);
      }
    }),
  );
  if (people <= most) await writer.end();
  return { groups: [{ variant: 0, people }], people, excluded };
}

/** A test ranks everybody before anybody's message is known: the addresses are held, some 30 bytes each. */
async function freezeTest(place: FreezePlace, selection: Selection, most: number): Promise<FrozenPeople> {
  const { campaign } = place;
  const { test } = campaign;
  if (!test) throw new Error('A campaign without a test has no groups.');
  const pages = selection.streams.map(async (stream) => {
    const emails: string[] = [];
    for await (const { members } of stream) for (const email of members) emails.push(email);
    return emails;
  });
  const emails = (await Promise.all(pages)).flat();
  if (emails.length > most || emails.length === 0) return { groups: [], people: emails.length, excluded: [] };
  const groups = divide({ campaignId: campaign.id, variants: test.variants, share: test.share }, emails);
  if (!groups) throw tooFewPeople();
  const variants = [...Array.from({ length: test.variants }, (_, variant) => variant), null];
  const frozen: FrozenGroup[] = [];
  let firstChunk = 0;
  for (const variant of variants) {
    const members = emails.filter((_, index) => groups[index] === variant);
    if (members.length === 0) continue;
    const writer = new ChunkWriter(place, firstChunk);
    await writer.add(members);
    await writer.end();
    firstChunk += Math.ceil(members.length / chunkPositions);
    frozen.push({ variant, people: members.length });
  }
  return { groups: frozen, people: emails.length, excluded: [] };
}

/** Cuts a stream of addresses into full chunks and writes them as they fill up. */
class ChunkWriter {
  readonly #place: FreezePlace;
  #open: string[] = [];
  #next: number;
  #full: { number: number; emails: string[] }[] = [];
  #writing: Promise<void>[] = [];

  constructor(place: FreezePlace, firstChunk: number) {
    this.#place = place;
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
    const { campaign, freezeId, at } = this.#place;
    const frozen = { workspaceId: campaign.workspaceId, campaignId: campaign.id, freezeId };
    const write = putChunks(frozen, this.#full, campaignExpiry(at));
    // Awaited later: until then a failure is nobody's.
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
