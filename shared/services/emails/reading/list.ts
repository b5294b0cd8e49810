import { ValidationError } from '../../../contract/errors.ts';
import type { Input, Result } from '../../../contract/route.ts';
import type { listEmailsRoute } from '../../../contract/routes/emailRecords.ts';
import type { EmailTrait } from '../../../domain/sending/emailTrait.ts';
import { textsOf } from '../../../language/text.ts';
import { config } from '../../../platform/config.ts';
import { pageOfEmails } from '../../../store/sending/listing.ts';
import type { Context } from '../../context.ts';
import { summaryOf } from './shown.ts';

const texts = textsOf({
  none: {
    en: 'this deployment keeps no list of emails (its setting "emailList" is "none")',
    fr: 'ce déploiement ne tient pas de liste des e-mails (son réglage « emailList » vaut « none »)',
  },
  newest: {
    en: 'this deployment keeps no such list (its setting "emailList" is "newest", and not "recipient-and-tag")',
    fr: 'ce déploiement ne tient pas cette liste (son réglage « emailList » vaut « newest » et non « recipient-and-tag »)',
  },
});

/** Emails newest first: a page is read where it lies, whatever the filter, and nothing is read that is not answered. */
export async function listEmails(
  { workspaceId }: Context,
  { recipient, status, tag, ...wanted }: Input<typeof listEmailsRoute>,
): Promise<Result<typeof listEmailsRoute>> {
  const traits = Object.entries({ recipient, status, tag }).flatMap(([kind, value]): EmailTrait[] =>
    value === undefined ? [] : [{ kind: kind as EmailTrait['kind'], value }],
  );
  const [trait] = traits;
  requireKept(trait);
  const { entries, next } = await pageOfEmails(workspaceId, { ...wanted, trait });
  return { entries: entries.map(summaryOf), next };
}

function requireKept(trait: EmailTrait | undefined): void {
  const kept = config('EMAIL_LIST');
  if (kept === 'none') throw new ValidationError([{ path: trait?.kind ?? '', text: texts.none }]);
  if (kept === 'newest' && (trait?.kind === 'recipient' || trait?.kind === 'tag')) {
    throw new ValidationError([{ path: trait.kind, text: texts.newest }]);
  }
}
