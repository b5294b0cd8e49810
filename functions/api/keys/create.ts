import { createKeyRoute } from '../../../shared/contract/routes/keys.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { createChildKey } from '../../../shared/services/childKeys.ts';

export const handler = http(createKeyRoute, createChildKey);
