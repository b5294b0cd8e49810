/** Who calls, as far as events and errors show it. */
export interface Caller {
  readonly region: string;
  readonly sourceIp: string;
}

export const accountId = '000000000000';
