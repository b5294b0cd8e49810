import { dropConfirmation, markConfirmationSent, withRefusalsOf } from '../../../domain/person/consent.ts';
import { areDefault, type Person } from '../../../domain/person/person.ts';
import { overtaken, untilSettled } from '../../../platform/deadline.ts';
import { getAddress, savePerson } from '../../../store/person/people.ts';

/** Changes a person without events: applications learnt of the change when it happened. */
function changeQuietly({ workspaceId, email }: Person, change: (person: Person) => Person): Promise<boolean> {
  return untilSettled(async () => {
    const { person } = await getAddress(workspaceId, email);
    const after = change(person);
    if (after === person) return false;
    return (await savePerson(person, after, [])) || overtaken;
  });
}

/** Takes over what a person decided against mail, as the former table has it; true when that changed something. */
export async function takeOverRefusals(former: Person): Promise<boolean> {
  const { subscriber, suppression, preferences } = former;
  const isOut = subscriber !== null && subscriber.status !== 'pending' && subscriber.status !== 'subscribed';
  if (!suppression && !isOut && areDefault(preferences)) return false;
  return changeQuietly(former, (person) => withRefusalsOf(person, former));
}

/**
 * A confirmation that was due at the point is not sent again unless the former table still has it unsent and unclaimed.
 * `before`: the person in that table, undefined when it cannot be read.
 */
export async function settleConfirmation(
  person: Person,
  before: Person | null | undefined,
  point: Date,
): Promise<'none' | 'kept' | 'unknown'> {
  const { confirmation } = person;
  if (!confirmation || confirmation.sentAt !== null) return 'none';
  const former = before?.confirmation;
  const isSame = former?.id === confirmation.id && former.round === confirmation.round;
  if (isSame && former.sentAt === null && former.claimedAt === null) return 'kept';
  const { id, round } = confirmation;
  await changeQuietly(person, (current) =>
    before && !former ? dropConfirmation(current) : markConfirmationSent(current, id, round, point),
  );
  return 'unknown';
}
