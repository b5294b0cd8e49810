import type { SliceSets } from '../../../../../shared/domain/campaign/slice.ts';
import type { FeedbackEvent } from '../../../../../shared/domain/sending/feedbackEvent.ts';
import {
  type MessageState,
  namesOfEvent,
  namesOfReport,
} from '../../../../../shared/services/feedback/internal/campaignFeedback.ts';

const sentAt = new Date('2026-11-21T10:00:00.000Z');
const later = (seconds: number) => new Date(sentAt.getTime() + seconds * 1000);
const hours = 3600;
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
const laptop = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:115.0) Gecko/20100101 Thunderbird/115.10.1';
const gmail = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)';
const first = 'https://example.com/first';

const state = (sets: SliceSets = {}): MessageState => ({ position: 7, sentAt, links: [first], sets });
const open = (at: Date, userAgent = phone, isBot = false): FeedbackEvent => ({
  type: 'opened',
  recipient: 'ada@example.net',
  at,
  occurrence: at.toISOString(),
  userAgent,
  isBot,
});
const click = (at: Date, url = first, isBot = false): FeedbackEvent => ({
  type: 'clicked',
  recipient: 'ada@example.net',
  at,
  occurrence: at.toISOString(),
  userAgent: phone,
  isBot,
  url,
});
const opened = { 'agent.Mobile|iOS|Apple Mail': new Set([7]) } satisfies SliceSets;

describe('an open', () => {
  it('counts in the window of six hours since the person’s own message was sent', () => {
    const window = (seconds: number) => namesOfEvent(open(later(seconds)), state(opened));
    expect(window(1)).toEqual(['open.0']);
    expect(window(6 * hours - 1)).toEqual(['open.0']);
    expect(window(6 * hours)).toEqual(['open.1']);
    expect(window(48 * hours - 1)).toEqual(['open.7']);
    expect(window(400 * hours)).toEqual(['open.8']);
    expect(window(-5)).toEqual(['open.0']);
  });

  it('counts device, system and client of the first open without a relay', () => {
    expect(namesOfEvent(open(later(60)), state())).toEqual(['open.0', 'agent.Mobile|iOS|Apple Mail']);
    expect(namesOfEvent(open(later(90), laptop), state(opened))).toEqual(['open.0']);
    const asBefore = { 'device.Mobile': new Set([7]) };
    expect(namesOfEvent(open(later(90), laptop), state(asBefore))).toEqual(['open.0']);
    const elsewhere = { 'agent.Mobile|iOS|Apple Mail': new Set([8]) };
    expect(namesOfEvent(open(later(90), laptop), state(elsewhere))).toContainEqual(
      expect.stringMatching(/^agent\.Desktop\|/),
    );
  });

  it('through a relay counts without a device', () => {
    expect(namesOfEvent(open(later(60), gmail), state())).toEqual(['open.0', 'relayed']);
    expect(namesOfEvent(open(later(60), 'Mozilla/5.0'), state())).toEqual(['open.0', 'relayed']);
  });

  it('is not counted when the provider takes the reader for a machine', () => {
    expect(namesOfEvent(open(later(60), phone, true), state())).toEqual([]);
  });
});

describe('a click', () => {
  it('counts in its window and for its link', () => {
    expect(namesOfEvent(click(later(11)), state())).toEqual(['click.0', 'link.0']);
    expect(namesOfEvent(click(later(7 * hours), 'https://example.com/other'), state())).toEqual(['click.1']);
  });

  it('is not counted within ten seconds of the send, unless the person had opened the message without a relay', () => {
    expect(namesOfEvent(click(later(9)), state())).toEqual([]);
    expect(namesOfEvent(click(later(9)), state({ relayed: new Set([7]) }))).toEqual([]);
    expect(namesOfEvent(click(later(9)), state(opened))).toEqual(['click.0', 'link.0']);
  });

  it('is not counted when the provider takes the reader for a machine', () => {
    expect(namesOfEvent(click(later(600), first, true), state(opened))).toEqual([]);
  });
});

describe('any report', () => {
  const dropped = { type: 'dropped', recipients: [], at: new Date(0), cause: 'Reject', reason: 'Bad content' } as const;

  it('proves that the message was accepted, unless it says that it was dropped', () => {
    expect(namesOfReport([])).toEqual(['accepted']);
    expect(namesOfReport([{ type: 'accepted', recipients: [], at: new Date(0) }])).toEqual(['accepted']);
    expect(namesOfReport([open(later(1), phone, true)])).toEqual(['accepted']);
    expect(namesOfReport([dropped])).toEqual([]);
    expect(namesOfEvent(dropped, state())).toEqual(['failed']);
  });
});
