import {
  type CountedMessage,
  capBounds,
  forgottenAt,
  placeOf,
  withoutMessage,
} from '../../../../shared/domain/sending/frequencyCap.ts';

const day = 86_400_000;
const start = Date.parse('2026-12-01T09:00:00.000Z');
const on = (days: number, milliseconds = 0) => new Date(start + days * day + milliseconds);
const sent = (id: string, days: number): CountedMessage => ({ id, at: on(days).getTime() });
const cap = { messages: 3, days: 7 };
const three = [sent('a', 0), sent('b', 1), sent('c', 2)];

describe('the frequency cap', () => {
  it('allows so many messages in any so many days, and then says when the oldest of them is old enough', () => {
    expect(placeOf(three.slice(0, 2), 'c', cap, on(2))).toEqual({ kind: 'free', after: three });
    expect(placeOf(three, 'd', cap, on(3))).toEqual({ kind: 'full', until: on(7) });
    expect(placeOf(three, 'd', cap, on(7, -1))).toEqual({ kind: 'full', until: on(7) });
    expect(placeOf(three, 'd', cap, on(7))).toEqual({ kind: 'free', after: [...three, sent('d', 7)] });
  });

  it('looks at the messages in the order of their times', () => {
    expect(placeOf(three.toReversed(), 'd', cap, on(3))).toEqual({ kind: 'full', until: on(7) });
  });

  it('holds at once when it is lowered: then the newest messages decide', () => {
    expect(placeOf(three, 'd', { messages: 1, days: 7 }, on(3))).toEqual({ kind: 'full', until: on(9) });
    expect(placeOf(three, 'd', { messages: 2, days: 7 }, on(3))).toEqual({ kind: 'full', until: on(8) });
    expect(placeOf(three, 'd', { messages: 4, days: 7 }, on(3))).toMatchObject({ kind: 'free' });
    expect(placeOf(three, 'd', { messages: 3, days: 2 }, on(3))).toMatchObject({ kind: 'free' });
  });

  it('counts a message that is tried again once', () => {
    expect(placeOf(three, 'c', cap, on(2, 59_000))).toEqual({ kind: 'held', at: on(2).getTime() });
    // Later it is counted from when it is sent.
    expect(placeOf(three, 'a', cap, on(3))).toEqual({ kind: 'free', after: [three[1], three[2], sent('a', 3)] });
    expect(placeOf(three, 'c', { messages: 1, days: 7 }, on(2))).toEqual({ kind: 'full', until: on(8) });
  });

  it('keeps as many messages as the largest cap counts', () => {
    const many = Array.from({ length: capBounds.messages }, (_, index) => sent(`m${index}`, index));
    const place = placeOf(many, 'next', { messages: capBounds.messages, days: capBounds.days }, on(capBounds.days));
    expect(place).toEqual({ kind: 'free', after: [...many.slice(1), sent('next', capBounds.days)] });
    expect(placeOf(many, 'next', { messages: 10, days: 30 }, on(29))).toEqual({ kind: 'full', until: on(30) });
    expect(forgottenAt(many)).toEqual(on(9 + 31));
  });

  it('gives a place back only as it was taken', () => {
    expect(withoutMessage(three, sent('b', 1))).toEqual([three[0], three[2]]);
    expect(withoutMessage(three, sent('b', 1.5))).toBe(three);
    expect(withoutMessage(three, sent('d', 1))).toBe(three);
  });
});
