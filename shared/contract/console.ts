/** Where the console lies below the service's address, and where a provider sends browsers back to. */
export const consolePaths = { root: '/console', returning: '/console/session/return' } as const;
