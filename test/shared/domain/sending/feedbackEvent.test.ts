import {
  countsAgainstReputation,
  eventMeanings,
  type FailureEvent,
  isProxiedOpen,
  meaningOf,
} from '../../../../shared/domain/sending/feedbackEvent.ts';

describe('isProxiedOpen', () => {
  it.each([
    ['Apple Mail Privacy Protection', 'Mozilla/5.0'],
    ['Gmail', 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'],
    ['Yahoo', 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html'],
    ['Yahoo, its cache', 'Mozilla/5.0 (compatible; YahooCacheSystem)'],
    ['another proxy that says so', 'ExampleImageProxy/1.0'],
  ])('is true for %s', (_, userAgent) => {
    expect(isProxiedOpen(userAgent)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['Apple Mail itself', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'],
    ['Thunderbird', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0'],
    ['Outlook', 'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Microsoft Outlook 16.0)'],
    ['a proxy of another kind', 'Mozilla/5.0 (X11) SomeProxy/1.0'],
  ])('is false for %s', (_, userAgent) => {
    expect(isProxiedOpen(userAgent)).toBe(false);
  });
});

describe('what an event means', () => {
  const namesOf = (decide: (meaning: (typeof eventMeanings)[keyof typeof eventMeanings]) => boolean) =>
    Object.entries(eventMeanings).flatMap(([type, meaning]) => (decide(meaning) ? [type] : []));
  const address = 'ada@example.net';
  const at = new Date('2026-11-21T10:00:00.000Z');
  const diagnostic = `550 no mailbox ${address}`;
  const bounced: FailureEvent = {
    ...{ type: 'bounced', recipient: address, at, byAccount: false },
    bounce: { type: 'Permanent', subtype: 'General', diagnostic },
  };

  it('is decided once for each type', () => {
    expect(namesOf(({ wasSent }) => !wasSent)).toEqual(['dropped']);
    expect(namesOf(({ movesWatermark }) => movesWatermark)).toEqual(['accepted']);
    expect(namesOf(({ isEngagement }) => isEngagement)).toEqual(['opened', 'clicked']);
    expect(namesOf(({ webhook }) => webhook.type === 'email.failed')).toEqual(['undelivered', 'dropped']);
    expect(namesOf(({ webhook }) => webhook.type === 'email.sent')).toEqual(['accepted']);
    const suppressions = Object.entries(eventMeanings).flatMap(([type, { suppression }]) =>
      suppression === null ? [] : [[type, suppression]],
    );
    expect(suppressions).toEqual([
      ['bounced', 'bounce'],
      ['complained', 'complaint'],
    ]);
  });

  it('counts against the workspace unless the account list or the simulator caused it', () => {
    expect(countsAgainstReputation(bounced)).toBe(true);
    expect(countsAgainstReputation({ ...bounced, byAccount: true })).toBe(false);
    expect(countsAgainstReputation({ ...bounced, recipient: 'bounce@simulator.amazonses.com' })).toBe(false);
  });

  it('quotes no address of an erased person', () => {
    const delivered = { type: 'delivered', recipient: address, at, answer: `250 OK ${address}` } as const;
    for (const event of [bounced, delivered]) {
      const erased = meaningOf(event).withoutServerText({ ...event, recipient: 'erased-1@erased.invalid' });
      expect(JSON.stringify(erased)).not.toContain(address);
    }
  });
});
