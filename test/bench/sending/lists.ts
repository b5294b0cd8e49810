import { emailLists } from '../../../shared/platform/config.ts';
import type { Consumption } from '../costs/consumption.ts';
import { load } from '../load.ts';
import type { Row } from '../report.ts';
import { startBenchService } from '../service.ts';
import { senderOf } from './sender.ts';

/** What a setting of the list of emails takes for an email to one person without a tag, sent and delivered. */
export interface ListCount {
  readonly list: string;
  readonly writeUnits: number;
}

/** Counts each setting on a service of its own. */
export async function measureLists(): Promise<ListCount[]> {
  const counts: ListCount[] = [];
  for (const list of emailLists) counts.push({ list, writeUnits: await unitsWith(list) });
  return counts;
}

async function unitsWith(list: string): Promise<number> {
  const service = await startBenchService(undefined, { EMAIL_LIST: list });
  try {
    const samples = 50;
    await service.quiet();
    await service.startMeter();
    await load({ clients: 1, total: samples, expect: 202 }, senderOf(service));
    await service.quiet();
    const { calls } = await service.readMeter();
    return calls.reduce((total, { writeUnits }) => total + writeUnits, 0) / samples;
  } finally {
    await service.stop();
  }
}

export function listRows(counts: readonly ListCount[]): Row[] {
  return counts.map(({ list, writeUnits }, index) => {
    const before = counts[index - 1];
    const more = before && writeUnits - before.writeUnits;
    return {
      what: `DynamoDB write units per email with the list "${list}"`,
      measured: writeUnits.toFixed(2),
      ...(before && more !== undefined && { budget: `1.2 more than "${before.list}"`, ok: more <= 1.2 }),
    };
  });
}

/** The same sends as `sending`, with the writes of each list besides. */
export function listConsumption(counts: readonly ListCount[], sending: readonly Consumption[]): Consumption[] {
  const base = sending.at(-1);
  const none = counts[0]?.writeUnits ?? 0;
  return counts.flatMap(({ list, writeUnits }) => {
    if (!base) return [];
    const what = `listed emails, "${list}", one recipient, no tag`;
    return [{ ...base, what, writeUnits: (base.writeUnits ?? 0) + writeUnits - none }];
  });
}
