import { text } from '../../../language/text.ts';
import type { Route } from '../../route.ts';
import { emailIdPath } from '../../schemas/email/record.ts';
import { canceledEmail, rescheduledEmail, updateEmailRequest } from '../../schemas/email/scheduled.ts';
import { emailsGroup } from './group.ts';

export const cancelEmailRoute = {
  id: 'emails.cancel',
  method: 'POST',
  path: '/api/v1/emails/{id}/cancel',
  group: emailsGroup,
  summary: text({ en: 'Cancel a scheduled email', fr: 'Annuler un e-mail programmé' }),
  description: text({
    en: 'It is then never sent. 409 `conflict` when it is too late, with the `status` of the email. One that is canceled stays so.',
    fr: 'Il ne partira plus. 409 `conflict` quand il est trop tard, avec le `status` de l’e-mail. Un e-mail annulé le reste.',
  }),
  access: 'emails:send',
  request: { path: emailIdPath },
  responses: [
    { status: 200, description: text({ en: 'It is canceled.', fr: 'Il est annulé.' }), schema: canceledEmail },
  ],
  errors: ['not_found', 'conflict'],
  needs: { table: 'readWrite', files: ['deleteBody'], queues: ['webhook-delivery'] },
  function: { entry: 'functions/api/emails/cancel.ts' },
} as const satisfies Route;

export const updateEmailRoute = {
  id: 'emails.update',
  method: 'PATCH',
  path: '/api/v1/emails/{id}',
  group: emailsGroup,
  summary: text({ en: 'Move a scheduled email to another time', fr: 'Déplacer un e-mail programmé' }),
  description: text({
    en: 'Gives a scheduled email another time. 409 `conflict` when it is too late or the email was canceled, with its `status`.',
    fr: 'Donne une autre heure à un e-mail programmé. 409 `conflict` quand il est trop tard ou qu’il a été annulé, avec son `status`.',
  }),
  access: 'emails:send',
  request: {
    path: emailIdPath,
    body: updateEmailRequest,
    example: { scheduled_at: '2026-12-01T09:00:00+01:00' },
  },
  responses: [
    { status: 200, description: text({ en: 'It has moved.', fr: 'Il est déplacé.' }), schema: rescheduledEmail },
  ],
  errors: ['not_found', 'conflict', 'validation_error'],
  needs: { table: 'readWrite', files: ['readBody', 'writeBody', 'deleteBody'], queues: ['scheduled-email'] },
  function: { entry: 'functions/api/emails/update.ts' },
} as const satisfies Route;

export const scheduledRoutes: readonly Route[] = [cancelEmailRoute, updateEmailRoute];
