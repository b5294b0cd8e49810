import { emailStatuses, outranks, statusRank, worstStatus } from '../../../../shared/domain/sending/emailStatus.ts';

describe('status of an email', () => {
  it('ranks sent < delivered < bounced < complained', () => {
    expect(emailStatuses.map(statusRank)).toEqual([0, 1, 2, 3]);
  });

  it('never moves back and never to itself', () => {
    const moves = emailStatuses.flatMap((from) =>
      emailStatuses.filter((to) => outranks(to, from)).map((to) => `${from}>${to}`),
    );
    expect(moves).toEqual([
      ...['sent>delivered', 'sent>bounced', 'sent>complained'],
      ...['delivered>bounced', 'delivered>complained', 'bounced>complained'],
    ]);
  });

  it('is the worst of the recipients', () => {
    expect(worstStatus(['delivered', 'bounced', 'sent'])).toBe('bounced');
    expect(worstStatus(['complained', 'delivered'])).toBe('complained');
    expect(worstStatus([])).toBe('sent');
  });
});
