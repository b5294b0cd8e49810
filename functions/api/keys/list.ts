import { listKeysRoute } from '../../../shared/contract/routes/keys.ts';
import { paged } from '../../../shared/http/paged.ts';
import { pageOfKeys } from '../../../shared/services/childKeys.ts';

export const handler = paged(listKeysRoute, pageOfKeys);
