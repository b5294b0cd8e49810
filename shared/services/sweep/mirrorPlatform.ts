import { addressHash } from '../../domain/person/erased.ts';
import { addSeconds } from '../../platform/clock.ts';
import { eachApart } from '../../platform/parallel.ts';
import { mirrorPlatformSuppression, platformEntriesAfter } from '../../store/suppression/platformSuppression.ts';
import { ensureSalt, loadSalt, noteMirrored } from '../../store/suppression/salt.ts';

/** Clocks differ, and an index lags: what is this much older is looked at again. */
const overlapSeconds = 3600;
const atOnce = 16;

/**
 * Brings what the release before wrote on the platform's list to the hashes that this one looks up: all of it once, and
 * from then on what is new, in case functions of that release still run. Two small reads when there is nothing. An entry
 * that fails keeps no other from being brought over, and all of them are looked at again by the next run.
 */
export async function mirrorPlatform(now: Date): Promise<void> {
  const { salt, mirroredThrough } = (await loadSalt()) ?? (await ensureSalt());
  const from = mirroredThrough === null ? '' : addSeconds(new Date(mirroredThrough), -overlapSeconds).toISOString();
  const entries = await platformEntriesAfter(from);
  const failures: unknown[] = [];
  await eachApart(
    atOnce,
    entries,
    ({ email, reason, createdAt: at }) => mirrorPlatformSuppression(addressHash(salt, email), { reason, at }),
    (error) => failures.push(error),
  );
  if (failures.length > 0) throw failures[0];
  const isOld = mirroredThrough === null || addSeconds(new Date(mirroredThrough), overlapSeconds) < now;
  if (mirroredThrough === null || (isOld && entries.length > 0)) await noteMirrored(now.toISOString());
}
