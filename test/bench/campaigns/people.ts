import { createHash, randomUUID } from 'node:crypto';
import type { PlanName } from '../../../shared/domain/sending/quota.ts';
import type { PersonRecord } from '../../../shared/store/person/personRecord.ts';
import type { World } from './world.ts';

const cities = ['Paris', 'London', 'Berlin', 'Madrid', 'Lyon', 'Rome', 'Porto', 'Ghent', 'Oslo', 'Graz'];
const names = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Margaret', 'Linus', 'Radia', 'Tim'];

/** A workspace that may send, with this many subscribers, stored as the API stores them. */
export async function workspaceWith({ load }: World, people: number): Promise<string> {
  const { createWorkspace, putDomain, putSenders } = load;
  const now = new Date();
  const plan: PlanName = 'scale';
  const operator = {
    actor: {
      kind: 'operator' as const,
      role: 'owner' as const,
      entryPoint: 'command_line' as const,
      name: 'bench',
      workspaceId: null,
    },
    language: 'en' as const,
    now,
    requestId: 'bench',
  };
  const { id } = await createWorkspace(operator, { name: `Bench ${randomUUID()}`, plan, language: 'en' });
  await putDomain(id, 'example.com', now, now);
  await putSenders(id, [{ email: 'hello@example.com', name: 'Bench', default: true }], now);
  await writePeople(load, id, people);
  return id;
}

const peopleOfWrite = 25;
const writers = 8;

/** Without search terms: campaigns do not read them. */
async function writePeople(load: World['load'], workspaceId: string, people: number): Promise<void> {
  const base = Date.now() - 10_000_000_000;
  const itemAt = (index: number) => {
    const email = emailAt(index);
    const at = new Date(base + index * 1000);
    const values = {
      firstName: names[index % names.length] ?? '',
      lastName: 'Lovelace',
      tags: index % 20 === 0 ? ['newsletter', 'vip'] : ['newsletter'],
      fields: { city: cities[index % cities.length] ?? '', age: 18 + (index % 60) },
    };
    const subscriber = load.withValues(load.newSubscriber('subscribed', at), values, at);
    const record = load.recordOf({ ...load.nobody(workspaceId, email), version: 1, subscriber });
    return { ...load.addressItemKey(workspaceId, email), ...record };
  };
  let next = 0;
  const writer = async () => {
    while (next < people) {
      const indexes = Array.from({ length: Math.min(peopleOfWrite, people - next) }, () => next++);
      await load.putItems<PersonRecord>(indexes.map(itemAt));
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
}

/** As long, and as hard to compress, as real addresses. */
function emailAt(index: number): string {
  const own = createHash('sha1').update(String(index)).digest('hex');
  const first = (names[index % names.length] ?? '').toLowerCase();
  const host = index % 3 === 0 ? `${own.slice(7, 13)}.example.net` : `example${index % 10}.com`;
  return `${first}.${own.slice(0, 3)}${index.toString(36)}@${host}`;
}
