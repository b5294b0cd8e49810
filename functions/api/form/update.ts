import { updateFormRoute } from '../../../shared/contract/routes/form.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { updateForm } from '../../../shared/services/signUpForm.ts';

export const handler = http(updateFormRoute, updateForm);
