import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { form, updateFormRequest } from '../schemas/form.ts';
import { noQuery } from '../schemas/segment.ts';

export const getFormRoute = {
  id: 'form.get',
  method: 'GET',
  path: '/api/v1/form',
  group: 'subscribers',
  summary: text({ en: 'Get the sign-up form', fr: 'Obtenir le formulaire d’inscription' }),
  description: text({
    en: 'The address of the public sign-up form, and how it differs from the usual one.',
    fr: 'L’adresse du formulaire d’inscription public, et en quoi il diffère du formulaire habituel.',
  }),
  access: 'subscribers:read',
  throttle: 'administration',
  request: { query: noQuery },
  responses: [{ status: 200, description: text({ en: 'The form.', fr: 'Le formulaire.' }), schema: form }],
  errors: ['validation_error'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/form/get.ts' },
} as const satisfies Route;

export const updateFormRoute = {
  id: 'form.update',
  method: 'PATCH',
  path: '/api/v1/form',
  group: 'subscribers',
  summary: text({ en: 'Change the sign-up form', fr: 'Modifier le formulaire d’inscription' }),
  description: text({
    en: 'Changes the given fields; `null` resets one. Which sites may embed the form is decided by operators.',
    fr: 'Modifie les champs donnés ; `null` en réinitialise un. Les sites autorisés à afficher le formulaire sont choisis par les opérateurs.',
  }),
  access: 'workspace:write',
  throttle: 'administration',
  request: {
    body: updateFormRequest,
    example: { text: 'One mail a month.', fields: [{ name: 'city', label: 'City' }] },
  },
  responses: [
    { status: 200, description: text({ en: 'The changed form.', fr: 'Le formulaire modifié.' }), schema: form },
  ],
  errors: ['conflict', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/form/update.ts' },
} as const satisfies Route;

export const formRoutes: readonly Route[] = [getFormRoute, updateFormRoute];
