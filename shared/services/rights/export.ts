import { addressHash, aliasOf, type Renaming, renamingOf } from '../../domain/person/erased.ts';
import { type Holding, holdingOf } from '../../store/holdings/holding.ts';
import { scanWorkspace } from '../../store/holdings/scan.ts';
import { getAddress } from '../../store/person/people.ts';
import { ensureSalt } from '../../store/suppression/salt.ts';
import { deliveryOf } from '../../store/webhook/deliveryItem.ts';
import type { Context } from '../context.ts';
import { personSubject } from '../operators/personSubject.ts';
import { notedPieces } from '../operators/verb.ts';
import { requireOperator } from '../requireOperator.ts';
import { shownDelivery } from '../webhooks/shown.ts';
import { campaignRecordOf } from './campaignRecord.ts';
import { attemptRecordsOf, emailRecordOf, scheduledRecordOf } from './emailRecord.ts';
import { shownPerson } from './shown.ts';

/** A piece of the file, and how many records are in it. One without a text says that it goes on. */
export interface PersonPiece {
  readonly text: string;
  readonly records: number;
}

/**
 * Everything that a workspace holds about an address (canonical form), as one JSON object: the person, then each record
 * on a line of its own, as it is found. Of other people it tells nothing.
 */
export async function* exportPerson(
  context: Context,
  { email }: { readonly email: string },
): AsyncGenerator<PersonPiece> {
  requireOperator(context, 'change');
  const subject = await personSubject(email);
  yield* notedPieces(context, { action: 'person.export', subject }, pieces(context, email));
}

async function* pieces(context: Context, email: string): AsyncGenerator<PersonPiece> {
  const { workspaceId, now } = context;
  const { salt } = await ensureSalt();
  const names = renamingOf(email, aliasOf(addressHash(salt, email)));
  const head = {
    object: 'person_export',
    email,
    workspace_id: workspaceId,
    exported_at: now.toISOString(),
    ...(await shownPerson(await getAddress(workspaceId, email))),
  };
  yield { text: `${JSON.stringify(head).slice(0, -1)},"records":[`, records: 0 };
  let count = 0;
  for await (const { items } of scanWorkspace(workspaceId)) {
    for (const item of items) {
      const holding = await holdingOf(item, names);
      const records = holding ? [await recordsOf(context, holding, names)].flat() : [];
      for (const record of records.filter((one) => one !== null)) {
        yield { text: `${count === 0 ? '' : ','}\n${JSON.stringify(record)}`, records: 1 };
        count += 1;
      }
    }
    yield { text: '', records: 0 };
  }
  yield { text: `${count === 0 ? '' : '\n'}]}\n`, records: 0 };
}

/** A holding as the person may see it; null for what another record tells. */
async function recordsOf(
  context: Context,
  { kind, item }: Holding,
  names: Renaming,
): Promise<object | object[] | null> {
  switch (kind) {
    case 'email':
      return emailRecordOf(context.workspaceId, String(item.email_id), names);
    case 'attempt':
      return attemptRecordsOf(context.workspaceId, item, names);
    case 'scheduled':
      return scheduledRecordOf(item, names);
    case 'delivery': {
      const delivery = deliveryOf(item);
      return { ...shownDelivery(delivery, context.language), event: JSON.parse(delivery.body) };
    }
    case 'chunk':
      return campaignRecordOf(context.workspaceId, item, names);
    case 'person':
    case 'link':
    case 'leave':
    case 'term':
    case 'outcome':
    case 'listed':
      return null;
    default:
      return { object: 'record', key: String(item.sk), holds: names.isIn(item) };
  }
}
