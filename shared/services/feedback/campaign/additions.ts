import { breakdowns, countedLinks, type SetName, type SliceSets, windowOf } from '../../../domain/campaign/slice.ts';
import type { Happening, HappeningOf } from '../../../domain/sending/happening.ts';
import { isProxiedOpen } from '../../../domain/sending/proxy.ts';
import { readingAgent } from './agent.ts';

/** A scanner follows every link within seconds of the delivery. */
const scannerSeconds = 10;

/** Whose message it is about and what is known of it, to tell a person's doing from a machine's. */
export interface MessageState {
  readonly position: number;
  readonly sentAt: Date;
  /** The web links of the message, as they are counted. */
  readonly links: readonly string[];
  /** The sets of its slice as they stood before. */
  readonly sets: SliceSets;
}

/** Which sets somebody's position is added to for what happened; none for what a machine did. */
export function additionsOf(happening: Happening, state: MessageState): readonly SetName[] {
  switch (happening.type) {
    case 'delivered':
    case 'bounced':
    case 'complained':
      return [happening.type];
    case 'dropped':
      return ['failed'];
    case 'opened':
      return opened(happening, state);
    case 'clicked':
      return clicked(happening, state);
    case 'accepted':
    case 'delayed':
      return [];
  }
}

/** That there is a report at all proves that the provider took the message; unless it says that it dropped it. */
export const takenBy = (happenings: readonly Happening[]): readonly SetName[] =>
  happenings.some(({ type }) => type === 'dropped') ? [] : ['accepted'];

function opened({ at, userAgent, isBot }: HappeningOf<'opened'>, state: MessageState): readonly SetName[] {
  if (isBot) return [];
  const window: SetName = `open.${windowOf(state.sentAt, at)}`;
  if (isProxiedOpen(userAgent)) return [window, 'relayed'];
  // A person's device is that of the first open that no relay made.
  return hasOpenedAsPerson(state) ? [window] : [window, ...labels(userAgent)];
}

function labels(userAgent: string): SetName[] {
  const agent = readingAgent(userAgent);
  return breakdowns.map((breakdown): SetName => `${breakdown}.${agent[breakdown]}`);
}

function clicked({ at, url, isBot }: HappeningOf<'clicked'>, state: MessageState): readonly SetName[] {
  const isSoon = at.getTime() - state.sentAt.getTime() < scannerSeconds * 1000;
  if (isBot || (isSoon && !hasOpenedAsPerson(state))) return [];
  const link = state.links.indexOf(url);
  const window: SetName = `click.${windowOf(state.sentAt, at)}`;
  return link === -1 || link >= countedLinks ? [window] : [window, `link.${link}`];
}

/** Whoever opened without a relay has a device. */
const hasOpenedAsPerson = ({ sets, position }: MessageState): boolean =>
  Object.entries(sets).some(([name, positions]) => name.startsWith('device.') && positions?.has(position));
