import { accountRoute } from '../../../shared/contract/routes/account.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { getAccount } from '../../../shared/services/account.ts';

export const handler = http(accountRoute, getAccount);
