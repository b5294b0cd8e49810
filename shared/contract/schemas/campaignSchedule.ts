import * as z from 'zod';
import { isZone, parseWallTime } from '../../domain/zonedTime.ts';
import { customIssue, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { campaignTarget } from './campaignRecord.ts';
import { describedRevision } from './campaignUpdate.ts';
import {
  always,
  constant,
  describe,
  givenFields,
  givenText,
  isGiven,
  moment,
  named,
  notAMoment,
  optional,
} from './fields.ts';
import { namesOfTarget, namesOfTest } from './internal/reservedNames.ts';

const texts = textsOf({
  local: {
    en: 'must be a date and a time on the clocks of "time_zone", such as 2026-12-01T09:00, without an offset',
    fr: 'doit être une date et une heure à l’heure de « time_zone », comme 2026-12-01T09:00, sans décalage',
  },
  noOffset: {
    en: 'has no offset: add one, as in 2026-12-01T09:00:00+01:00, or name the time zone of its clocks in "time_zone", such as Europe/Paris',
    fr: 'n’a pas de décalage : ajoutez-en un, comme dans 2026-12-01T09:00:00+01:00, ou nommez le fuseau de ses horloges dans « time_zone », comme Europe/Paris',
  },
  zone: {
    en: 'must be a time zone of the IANA database, such as Europe/Paris',
    fr: 'doit être un fuseau horaire de la base IANA, comme Europe/Paris',
  },
  noDryRun: {
    en: 'is not a field of this request, which always schedules: to see what would be sent, use `dry_run` of `POST /campaigns/{id}/send`',
    fr: 'n’est pas un champ de cette requête, qui programme toujours : pour voir ce qui serait envoyé, utilisez `dry_run` de `POST /campaigns/{id}/send`',
  },
});

export const scheduleCampaignRequest = withNameRules(
  z
    .strictObject({
      scheduled_at: describe(
        z.string().min(1).max(40),
        {
          en: 'When to send it, 1 minute to 366 days from now: with an offset (RFC 3339), or without one on the clocks of `time_zone`.',
          fr: 'Quand l’envoyer, dans 1 minute à 366 jours : avec un décalage (RFC 3339), ou sans, à l’heure de `time_zone`.',
        },
        ['2026-12-01T09:00:00+01:00'],
      ),
      time_zone: describe(
        optional(z.string().min(1).max(100)),
        {
          en: 'Time zone of the IANA database, for a `scheduled_at` without an offset. An hour that its clocks skip or show twice is refused.',
          fr: 'Fuseau horaire de la base IANA, pour une `scheduled_at` sans décalage. Une heure que ses horloges sautent ou montrent deux fois est refusée.',
        },
        ['Europe/Paris'],
      ),
      revision: describedRevision(optional(z.int().min(0))),
    })
    .superRefine(
      (given, context) => {
        const { scheduled_at, time_zone } = givenFields(given);
        const [at, zone] = [givenText(scheduled_at), givenText(time_zone)];
        if (zone !== undefined && !isZone(zone)) context.addIssue(customIssue(texts.zone, ['time_zone']));
        if (at === undefined) return;
        if (isGiven(time_zone)) {
          if (!parseWallTime(at)) context.addIssue(customIssue(texts.local, ['scheduled_at']));
          return;
        }
        if (moment.safeParse(at).success) return;
        context.addIssue(customIssue(parseWallTime(at) ? texts.noOffset : notAMoment, ['scheduled_at']));
      },
      { when: always },
    ),
  { unknown: 'refused', reserved: [{ ...namesOfTest, text: texts.noDryRun }, namesOfTarget] },
);

export const scheduledCampaign = named(
  'ScheduledCampaign',
  z.object({
    id: describe(z.string(), { en: 'Identifier of the campaign.', fr: 'Identifiant de la campagne.' }, [
      'camp_01k9zq3v5c8r2m4n6p7s9t0wxy',
    ]),
    object: constant('campaign'),
    status: constant('scheduled'),
    scheduledAt: describe(z.string(), { en: 'When it will be sent, in UTC.', fr: 'Date de l’envoi, en UTC.' }, [
      '2026-12-01T08:00:00.000Z',
    ]),
    target: campaignTarget,
    recipients: describe(
      z.int().min(0),
      {
        en: 'Number of people whom it would reach now. Who gets it is decided when it is sent.',
        fr: 'Nombre de personnes qu’elle atteindrait maintenant. Qui la reçoit est décidé à l’envoi.',
      },
      [1200],
    ),
  }),
);
