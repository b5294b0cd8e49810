/** On Lambda, credentials are in the environment. The other sources of the SDK's credential chain would add 120 kB. */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
