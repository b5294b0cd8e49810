import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import parseWithNodemailer from 'nodemailer/lib/addressparser';
import { type AddressProblem, formatMailbox, parseAddress } from '../../../shared/domain/address.ts';

const file = join(import.meta.dirname, '../../fixtures/addresses/isemail.json');
const { cases }: { cases: [string, string][] } = JSON.parse(readFileSync(file, 'utf8'));

/** What we decide for each diagnosis of the corpus, and why. */
const verdicts: { why: string; diagnoses: RegExp; problems: readonly (AddressProblem | 'accepted')[] }[] = [
  {
    why: 'valid addresses are accepted, whatever DNS knew of their domain at the time',
    diagnoses: /^(valid|dnsWarn.*)$/,
    problems: ['accepted'],
  },
  {
    why: 'quoted local parts are accepted, except with a space, which SES refuses',
    diagnoses: /^rfc5321QuotedString$/,
    problems: ['accepted', 'local_part_space'],
  },
  {
    why: 'a domain without a dot is refused by decision: no mail of a sending service goes to a top-level domain',
    diagnoses: /^rfc5321TLD$/,
    problems: ['domain_needs_dot'],
  },
  { why: 'a numeric last label is an IPv4 address', diagnoses: /^rfc5321TLDNumeric$/, problems: ['domain_invalid'] },
  {
    why: 'address literals are refused by decision, sound or not',
    diagnoses: /^(rfc5321AddressLiteral|rfc5322(DomainLiteral|IPv6).*|deprecatedIPv6|err.*(DomainLiteral|DTEXT))$/,
    problems: ['address_literal', 'control_character'],
  },
  {
    why: 'comments are refused by decision, sound or not',
    diagnoses: /^(cfwsComment|deprecated(Comment|CTEXT)|err(UnclosedComment|ATEXTAfterCFWS|ExpectingCTEXT))$/,
    problems: ['comment', 'control_character'],
  },
  {
    why: 'folding, spaces around the @ and other obsolete forms are refused by decision, surrounding spaces are not',
    diagnoses: /^(cfwsFWS|deprecated(FWS|CFWSNearAt|LocalPart|QP|QTEXT))$/,
    problems: ['accepted', 'comment', 'control_character', 'local_part_invalid', 'domain_invalid'],
  },
  {
    why: 'the length limits of RFC 5321 hold',
    diagnoses: /^rfc5322(Local|Label|Domain|)TooLong$/,
    problems: ['local_part_too_long', 'domain_invalid', 'address_too_long'],
  },
  { why: 'domains are host names', diagnoses: /^rfc5322Domain$/, problems: ['domain_invalid'] },
  { why: 'errors of RFC 5322 are errors here', diagnoses: /^err/, problems: allRefusals() },
];

/** Single addresses for which we decide differently from their category. */
const exceptions: Record<string, AddressProblem> = {
  'test@io': 'domain_needs_dot',
  '""@iana.org': 'local_part_invalid',
};

function allRefusals(): AddressProblem[] {
  return [
    ...(['empty', 'too_short', 'control_character', 'no_at', 'comment', 'address_literal'] as const),
    ...(['local_part_invalid', 'local_part_space', 'local_part_not_ascii', 'domain_invalid'] as const),
  ];
}

function outcomeOf(address: string): AddressProblem | 'accepted' {
  const result = parseAddress(address);
  return result.ok ? 'accepted' : result.problem;
}

const verdictOf = (diagnosis: string) => verdicts.find(({ diagnoses }) => diagnoses.test(diagnosis));

describe('the is_email corpus', () => {
  it('is complete, and each of its diagnoses has a decision', () => {
    expect(cases).toHaveLength(185);
    expect(cases.filter(([, diagnosis]) => !verdictOf(diagnosis))).toEqual([]);
  });

  it.each(verdicts)('$why', (verdict) => {
    const addresses = cases.filter(([, diagnosis]) => verdictOf(diagnosis) === verdict).map(([address]) => address);
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) {
      const expected = exceptions[address] ? [exceptions[address]] : verdict.problems;
      expect({ address, outcome: expected.find((problem) => problem === outcomeOf(address)) }).toEqual({
        address,
        outcome: outcomeOf(address),
      });
    }
  });

  it('accepts an obsolete or folded form only for surrounding spaces', () => {
    const folded = cases.filter(([address, diagnosis]) => diagnosis === 'cfwsFWS' && parseAddress(address).ok);
    expect(folded.map(([address]) => address)).toEqual([' test@iana.org', 'test@iana.org ']);
  });
});

describe('what formatMailbox writes', () => {
  it.each([
    ...['Jane Doe', 'Doe, Jane', 'Jane "JD" Doe', 'back\\slash', 'a@b.com', 'x <y@z.com>', 'a;b:c', 'Éloïse (work)'],
    ...['Acme, Inc. "Billing"', "O'Neil", '日本, 語', '<script>'],
  ])('is read by nodemailer as one address of the name %s', (name) => {
    expect(parseWithNodemailer(formatMailbox({ name, address: 'jane@example.com' }))).toEqual([
      { name, address: 'jane@example.com' },
    ]);
  });
});
