/** What the provider reports of a message, in this service's words; its own forms are read in shared/email alone. */
interface Accepted {
  readonly type: 'accepted';
}

interface Delivered {
  readonly type: 'delivered';
  readonly recipient: string;
  readonly at: Date;
  /** What the receiving server said when it took the message. */
  readonly answer: string | null;
}

/** A permanent bounce. `byAccount`: the provider did not even try, the address is on the list of its account. */
interface Bounced {
  readonly type: 'bounced';
  readonly recipient: string;
  readonly at: Date;
  readonly byAccount: boolean;
  readonly bounce: { readonly type: string; readonly subtype: string; readonly diagnostic: string | null };
}

interface Complained {
  readonly type: 'complained';
  readonly recipient: string;
  readonly at: Date;
  readonly byAccount: boolean;
  readonly complaint: { readonly feedbackType: string | null };
}

/** `recipient` is null when the message had several: the provider does not say which of them it was. */
interface Opened {
  readonly type: 'opened';
  readonly recipient: string | null;
  readonly at: Date;
  /** Tells this open from another of the same person. */
  readonly occurrence: string;
  readonly userAgent: string;
  /** The provider takes it for a machine's doing. */
  readonly isBot: boolean;
}

interface Clicked {
  readonly type: 'clicked';
  readonly recipient: string | null;
  readonly at: Date;
  readonly occurrence: string;
  readonly userAgent: string;
  readonly isBot: boolean;
  readonly url: string;
}

/** Not delivered yet, nor given up. */
interface Delayed {
  readonly type: 'delayed';
  readonly recipient: string;
  readonly at: Date;
  readonly reason: string;
}

/** The provider took the message and then did not send it. */
interface Dropped {
  readonly type: 'dropped';
  readonly cause: string;
  readonly reason: string;
}

export type Happening = Accepted | Delivered | Bounced | Complained | Opened | Clicked | Delayed | Dropped;
export type HappeningOf<Type extends Happening['type']> = Extract<Happening, { type: Type }>;
