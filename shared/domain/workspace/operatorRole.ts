/** What an operator may do: everything, all of the daily work, or look. */
export const operatorRoles = ['owner', 'editor', 'viewer'] as const;
export type OperatorRole = (typeof operatorRoles)[number];
