import { defaultProvider } from '@aws-sdk/credential-provider-node';

/** Those of this process: found once, and found anew before they expire. */
export const credentials = defaultProvider();
