/** The most messages of automations and campaigns that a person of a workspace gets in any period of so many days. */
export interface FrequencyCap {
  readonly messages: number;
  readonly days: number;
}

/** A person's item keeps as many messages as the largest cap counts, and as long. */
export const capBounds = { messages: 10, days: 30 } as const;

/** A message that counts against the cap. */
export interface CountedMessage {
  /** The same whenever the message is tried again, so that it counts once. */
  readonly id: string;
  /** When its place was taken, in Unix milliseconds. */
  readonly at: number;
}

/**
 * Whether a message may be sent. `held`: it took its place a moment ago. `free`: it may take one, after which these
 * messages are counted. `full`: not before `until`.
 */
export type CapPlace =
  | { readonly kind: 'held'; readonly at: number }
  | { readonly kind: 'free'; readonly after: readonly CountedMessage[] }
  | { readonly kind: 'full'; readonly until: Date };

const dayMilliseconds = 86_400_000;
/** A message that is tried again later than this takes its place anew, so that the time is that of its sending. */
const momentMilliseconds = 60_000;

/** Whether there is a place for a message beside those counted before. Its own earlier place does not count against it. */
export function placeOf(
  counted: readonly CountedMessage[],
  id: string,
  { messages, days }: FrequencyCap,
  now: Date,
): CapPlace {
  const [at, window] = [now.getTime(), days * dayMilliseconds];
  const others = [...counted.filter((one) => one.id !== id)].sort((a, b) => a.at - b.at);
  const recent = others.filter((one) => one.at + window > at);
  // After the cap was lowered there may be more than it allows: then the newest ones decide.
  const inTheWay = recent[recent.length - messages];
  if (inTheWay) return { kind: 'full', until: new Date(inTheWay.at + window) };
  const own = counted.find((one) => one.id === id);
  if (own && Math.abs(at - own.at) < momentMilliseconds) return { kind: 'held', at: own.at };
  return { kind: 'free', after: [...others, { id, at }].slice(-capBounds.messages) };
}

/** The counted messages without one that was not sent; the same list when its place was taken anew since. */
export function withoutMessage(
  counted: readonly CountedMessage[],
  { id, at }: CountedMessage,
): readonly CountedMessage[] {
  const rest = counted.filter((one) => one.id !== id || one.at !== at);
  return rest.length === counted.length ? counted : rest;
}

/** When the counted messages may be deleted: no cap counts them any more. */
export const forgottenAt = (counted: readonly CountedMessage[]): Date =>
  new Date(Math.max(...counted.map(({ at }) => at)) + (capBounds.days + 1) * dayMilliseconds);
