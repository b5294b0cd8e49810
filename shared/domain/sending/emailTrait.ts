/**
 * What a list of some emails has in common: that they went to an address (canonical form), bear a tag (`name:value`), or
 * that a status was reported of them.
 */
export interface EmailTrait {
  readonly kind: 'recipient' | 'tag' | 'status';
  readonly value: string;
}
