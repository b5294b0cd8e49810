import * as z from 'zod';
import { addressProblemTexts } from '../../domain/address.ts';
import { suppressionReasons } from '../../domain/person/person.ts';
import type { Text } from '../../language/text.ts';
import { type ErrorCode, errorCodes, type Issue, passingReasons, ValidationError } from '../errors.ts';
import { scopeNames } from '../scopes.ts';
import { describe, inPlace, named } from './fields.ts';
import { batchErrors, emailOfBatch } from './sentEmail.ts';

const rate = (text: Text) => describe(z.number().min(0).max(1), text, [0.062]);
const count = (text: Text, example: number) => describe(z.int().min(0), text, [example]);
const addresses = (text: Text) => describe(z.array(z.string()), text, [['ada@example.net']]);
const waitingCampaign = named(
  'WaitingCampaign',
  z.object({
    id: describe(z.string(), { en: 'Identifier of the campaign.', fr: 'Identifiant de la campagne.' }),
    name: describe(z.string(), { en: 'Its name.', fr: 'Son nom.' }),
    status: describe(z.enum(['draft', 'scheduled']), { en: 'Its status.', fr: 'Son statut.' }),
  }),
);
const nothing = z.object({});

const exampleIssue: Issue = { path: 'to[2]', text: addressProblemTexts.no_at };

const issue = named(
  'Issue',
  z.object({
    path: describe(
      z.string(),
      { en: 'Path of the field; empty for the whole body.', fr: 'Chemin du champ ; vide pour le corps entier.' },
      [exampleIssue.path, 'attachments[0].content'],
    ),
    message: describe(
      z.string(),
      { en: 'What is wrong, in the language of the call.', fr: 'Ce qui ne va pas, dans la langue de l’appel.' },
      [exampleIssue.text],
    ),
  }),
);
const issuesOfBatch = describe(z.array(issue).optional(), {
  en: 'For a batch: what is wrong with each refused email. Paths start with its index.',
  fr: 'Pour un lot : ce qui ne va pas dans chaque e-mail refusé. Les chemins commencent par son indice.',
});

/** The schema of `error.details` by code. */
const errorDetails: Record<ErrorCode, z.ZodObject> = {
  missing_api_key: nothing,
  invalid_api_key: nothing,
  revoked_api_key: nothing,
  insufficient_scope: z.object({
    required: describe(
      named('Scope', z.enum(scopeNames)),
      { en: 'The scope that the call needs.', fr: 'La portée que demande l’appel.' },
      ['emails:send'],
    ),
    granted: describe(
      z.array(named('Scope', z.enum(scopeNames))),
      { en: 'The scopes of the key.', fr: 'Les portées de la clé.' },
      [['subscribers:read']],
    ),
  }),
  reputation_blocked: z.object({
    bounce_rate: rate({
      en: 'Permanent bounces divided by messages sent, when sending was suspended.',
      fr: 'Rebonds définitifs divisés par les messages envoyés, au moment de la suspension.',
    }),
    complaint_rate: rate({
      en: 'Complaints divided by messages delivered, when sending was suspended.',
      fr: 'Plaintes divisées par les messages livrés, au moment de la suspension.',
    }),
    since: describe(
      z.string(),
      { en: 'When sending was suspended, ISO 8601 UTC.', fr: 'Date de la suspension, ISO 8601 UTC.' },
      ['2026-11-20T08:00:00.000Z'],
    ),
  }),
  quota_exceeded: z.object({
    limit: count({ en: 'Emails a month that the plan allows.', fr: 'E-mails par mois que permet le forfait.' }, 3000),
    used: count({ en: 'Emails used this month.', fr: 'E-mails utilisés ce mois-ci.' }, 2999),
    requested: count({ en: 'Recipients of this call.', fr: 'Destinataires de cet appel.' }, 2),
    resets_at: describe(z.string(), { en: 'When the quota is reset.', fr: 'Date de remise à zéro du quota.' }, [
      '2026-12-01T00:00:00.000Z',
    ]),
  }),
  not_found: nothing,
  conflict: z.object({
    status: describe(
      z.string().optional(),
      { en: 'State of the object that caused the conflict.', fr: 'État de l’objet à l’origine du conflit.' },
      ['in_progress', 'unconfirmed'],
    ),
    campaigns: describe(z.array(waitingCampaign).optional(), {
      en: 'Of what cannot be deleted: the drafts and scheduled campaigns that need it, at most 100.',
      fr: 'De ce qui ne peut pas être supprimé : les brouillons et les campagnes programmées qui en ont besoin, 100 au plus.',
    }),
  }),
  idempotency_key_reused: nothing,
  validation_error: z.object({
    issues: describe(z.array(issue), {
      en: 'Everything that is wrong with the request.',
      fr: 'Tout ce qui ne va pas dans la requête.',
    }),
    reason: describe(
      z.string().optional(),
      {
        en: 'Why a campaign cannot be sent, as a stable code. `quota_exceeded` and `reputation_blocked` come with their figures.',
        fr: 'Pourquoi une campagne ne peut pas être envoyée, sous forme de code stable. `quota_exceeded` et `reputation_blocked` sont accompagnés de leurs chiffres.',
      },
      ['empty_audience'],
    ),
  }),
  unverified_from_domain: z.object({
    from: describe(z.string(), { en: 'The sender as given.', fr: 'L’expéditeur tel que donné.' }, [
      'Acme <hello@example.org>',
    ]),
    verifiedDomains: describe(
      z.array(z.string()),
      { en: 'The verified domains of the workspace.', fr: 'Les domaines vérifiés de l’espace.' },
      [['example.com']],
    ),
    issues: issuesOfBatch,
  }),
  suppressed_recipient: z.object({
    recipients: describe(
      z.array(
        named(
          'SuppressedRecipient',
          z.object({
            email: describe(z.string(), { en: 'The refused address.', fr: 'L’adresse refusée.' }, ['ada@example.net']),
            reason: describe(
              named('SuppressionReason', z.enum(suppressionReasons)),
              { en: 'Why it is on the list.', fr: 'Pourquoi elle est sur la liste.' },
              ['bounce'],
            ),
            scope: describe(
              named('SuppressionScope', z.enum(['organization', 'platform'])),
              {
                en: 'On which list it is: of the workspace or of the platform.',
                fr: 'Sur quelle liste elle est : celle de l’espace ou celle de la plateforme.',
              },
              ['organization'],
            ),
          }),
        ),
      ),
      { en: 'Every refused recipient.', fr: 'Tous les destinataires refusés.' },
    ),
    issues: issuesOfBatch,
  }),
  rate_limit_exceeded: z.object({
    retry_after: describe(z.int().min(1), { en: 'Seconds to wait.', fr: 'Secondes à attendre.' }, [12]),
  }),
  send_failed: z.object({
    provider_code: describe(z.string(), { en: 'The provider’s error code.', fr: 'Le code d’erreur du prestataire.' }, [
      'MessageRejected',
    ]),
    accepted: addresses({
      en: 'Recipients whose message was accepted.',
      fr: 'Destinataires dont le message a été accepté.',
    }),
    refused: addresses({
      en: 'Recipients whose message was refused.',
      fr: 'Destinataires dont le message a été refusé.',
    }),
    unknown: describe(
      z.array(z.string()).optional(),
      {
        en: 'Recipients whose outcome is not known yet.',
        fr: 'Destinataires dont l’issue n’est pas encore connue.',
      },
      [[]],
    ),
    emails: describe(z.array(emailOfBatch).optional(), {
      en: 'For a batch: the outcome of each email.',
      fr: 'Pour un lot : l’issue de chaque e-mail.',
    }),
    errors: describe(batchErrors, {
      en: 'For a batch: the emails that were refused before the send.',
      fr: 'Pour un lot : les e-mails refusés avant l’envoi.',
    }),
  }),
  internal_error: z.object({
    request_id: describe(
      z.string(),
      { en: 'Quote it when you ask for help.', fr: 'À citer si vous demandez de l’aide.' },
      ['5f0c6a1e-7f43-4f0a-9a55-0d4d3c1f2b6a'],
    ),
    reason: describe(
      named('UnavailableReason', z.enum(passingReasons)).optional(),
      {
        en: 'Only with status 503: why the call fails for now. `unavailable`: an AWS service does not answer. `sending_held`: operators hold all sending. `backlog`: more than ten minutes of emails wait for the provider’s rate.',
        fr: 'Uniquement avec le statut 503 : pourquoi l’appel échoue pour le moment. `unavailable` : un service AWS ne répond pas. `sending_held` : les opérateurs bloquent tous les envois. `backlog` : plus de dix minutes d’e-mails attendent le débit du prestataire.',
      },
      ['unavailable'],
    ),
  }),
};

/** The type of an error: `quota_exceeded` is `QuotaExceededError`. */
export function errorType(code: ErrorCode): string {
  const name = code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return name.endsWith('Error') ? name : `${name}Error`;
}

const detailsOf = (code: ErrorCode): z.ZodObject =>
  errorDetails[code] === nothing ? nothing : named(errorType(code).replace(/Error$/, 'Details'), errorDetails[code]);

/** The body of an error. */
export function errorBody(code: ErrorCode): z.ZodObject {
  const { status } = errorCodes[code];
  const sentence = code === 'validation_error' ? new ValidationError([exampleIssue]).text : errorCodes[code].text;
  const message = () =>
    describe(
      z.string(),
      {
        en: 'For people, in the language of the call; may be rephrased.',
        fr: 'Pour les humains, dans la langue de l’appel ; peut être reformulé.',
      },
      [sentence],
    );
  return z.object({
    error: describe(
      inPlace(
        z.object({
          code: describe(z.literal(code), { en: 'Stable code.', fr: 'Code stable.' }),
          message: message(),
          details: describe(detailsOf(code), {
            en: 'What you need to correct the call.',
            fr: 'Ce qu’il faut pour corriger l’appel.',
          }),
        }),
      ),
      { en: 'The error.', fr: 'L’erreur.' },
    ),
    statusCode: describe(z.int(), { en: 'The HTTP status.', fr: 'Le statut HTTP.' }, [status]),
    message: message(),
    name: describe(z.literal(code), { en: 'Same as `error.code`.', fr: 'Identique à `error.code`.' }),
  });
}
