import { getFormRoute } from '../../../shared/contract/routes/form.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { showForm } from '../../../shared/services/signUpForm.ts';

export const handler = http(getFormRoute, showForm);
