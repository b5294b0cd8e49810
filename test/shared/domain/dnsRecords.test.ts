import {
  checkDmarc,
  checkRecord,
  dmarcNames,
  dmarcRecord,
  mailFromRecords,
} from '../../../shared/domain/dnsRecords.ts';

const dkim = {
  purpose: 'dkim',
  type: 'CNAME',
  name: 't._domainkey.example.com',
  value: 't.dkim.amazonses.com',
} as const;
const [mx, spf] = mailFromRecords({ domain: 'mail.example.com', region: 'eu-west-3' }) as [
  ReturnType<typeof mailFromRecords>[0],
  ReturnType<typeof mailFromRecords>[0],
];
const dmarc = dmarcRecord('news.example.com');
const answer = (values: readonly string[] | null) => ({ name: 'x', values });

describe('a published record', () => {
  it.each([
    [dkim, ['T.dkim.AmazonSES.com.'], 'found'],
    [dkim, ['t.dkim.eu-west-3.amazonses.com'], 'wrong'],
    [dkim, [], 'missing'],
    [dkim, null, 'unknown'],
    [mx, ['10 feedback-smtp.eu-west-3.amazonses.com'], 'found'],
    [mx, ['5 feedback-smtp.eu-west-3.amazonses.com.'], 'found'],
    [mx, ['10 feedback-smtp.us-east-1.amazonses.com'], 'wrong'],
    // "you must publish exactly one MX record": docs.aws.amazon.com/ses/latest/dg/mail-from.html
    [mx, ['10 feedback-smtp.eu-west-3.amazonses.com', '20 mx.example.com'], 'wrong'],
    [spf, ['v=spf1 include:amazonses.com -all'], 'found'],
    [spf, ['google-site-verification=x', 'v=spf1 a include:amazonses.com ~all'], 'found'],
    [spf, ['v=spf1 -all'], 'wrong'],
    [spf, ['v=spf1 include:amazonses.com.example.net ~all'], 'wrong'],
    [spf, ['v=spf10 include:amazonses.com'], 'missing'],
    // "the check_host() produces the permerror result": RFC 7208, 4.5
    [spf, ['v=spf1 include:amazonses.com ~all', 'v=spf1 -all'], 'wrong'],
  ] as const)('%j with %j is %s', (expected, values, status) => {
    const check = checkRecord(expected, answer(values));
    expect(check).toMatchObject({ status, record: { name: expected.name, value: expected.value } });
    expect(check.problem === null).toBe(status === 'found' || status === 'missing');
  });
});

describe('a DMARC policy', () => {
  const own = (values: readonly string[] | null) => ({ name: '_dmarc.news.example.com', values });
  const above = (values: readonly string[] | null) => ({ name: '_dmarc.example.com', values });

  it('is read at the domain and at its parents', () => {
    expect(dmarcNames('news.example.com')).toEqual(['_dmarc.news.example.com', '_dmarc.example.com']);
  });

  it.each([
    [[own(['v=DMARC1; p=none;']), above([])], 'found', null],
    [
      [own([]), above(['v=DMARC1;p=reject; rua=mailto:a@example.com'])],
      'found',
      'the policy of _dmarc.example.com counts',
    ],
    [[own([]), above([])], 'missing', null],
    [[own(['some text']), above([])], 'missing', null],
    [
      [own(['v=DMARC1; rua=mailto:a@example.com']), above(['v=DMARC1; p=none'])],
      'wrong',
      expect.stringContaining('policy'),
    ],
    [[own(['v=DMARC1; p=none', 'v=DMARC1; p=reject']), above([])], 'wrong', 'there may be only one DMARC record'],
    [[own(null), above(['v=DMARC1; p=none'])], 'unknown', 'DNS did not answer'],
  ] as const)('of %j is %s', (answers, status, problem) => {
    expect(checkDmarc(dmarc, answers)).toMatchObject({ status, problem });
  });
});
