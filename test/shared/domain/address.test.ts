import {
  type AddressProblem,
  addressKey,
  addressProblemTexts,
  domainOf,
  formatMailbox,
  isSimulatorAddress,
  parseAddress,
  parseMailbox,
  readMailbox,
} from '../../../shared/domain/address.ts';

describe('parseMailbox', () => {
  it.each([
    ['jane@example.com', null, 'jane@example.com'],
    ['  jane@EXAMPLE.com ', null, 'jane@example.com'],
    ['Jane.Doe+tag@Example.COM', null, 'Jane.Doe+tag@example.com'],
    ['<jane@example.com>', null, 'jane@example.com'],
    ['Jane Doe <jane@example.com>', 'Jane Doe', 'jane@example.com'],
    ['Jane Doe<jane@example.com>', 'Jane Doe', 'jane@example.com'],
    ['Jane < jane@example.com >', 'Jane', 'jane@example.com'],
    ['"Doe, Jane" <jane@example.com>', 'Doe, Jane', 'jane@example.com'],
    ['"Jane \\"JD\\" Doe" <jane@example.com>', 'Jane "JD" Doe', 'jane@example.com'],
    ['Doe, Jane <jane@example.com>', 'Doe, Jane', 'jane@example.com'],
    ['Acme, Inc. <jane@example.com>', 'Acme, Inc.', 'jane@example.com'],
    ['Müller (Extern) <jane@example.com>', 'Müller (Extern)', 'jane@example.com'],
    ['Team [QA] <jane@example.com>', 'Team [QA]', 'jane@example.com'],
    ['Sales: EU; all <jane@example.com>', 'Sales: EU; all', 'jane@example.com'],
    ['Jane \\ <3 Doe <jane@example.com>', 'Jane \\ <3 Doe', 'jane@example.com'],
    ['Jane "Doe <jane@example.com>', 'Jane "Doe', 'jane@example.com'],
    ['"Jane <jane@example.com>', '"Jane', 'jane@example.com'],
    ['jane@example.com <jane@example.com>', 'jane@example.com', 'jane@example.com'],
    ["'Jane@Example.COM' <jane@example.com>", "'Jane@Example.COM'", 'jane@example.com'],
    ['"jane@example.com" <jane@example.com>', 'jane@example.com', 'jane@example.com'],
    ['jane@müller.example <jane@xn--mller-kva.example>', 'jane@müller.example', 'jane@xn--mller-kva.example'],
    ['Doe, Jane (jane@example.com) <jane@example.com>', 'Doe, Jane (jane@example.com)', 'jane@example.com'],
    ['Jane <jane@example.com> <jane@example.com>', 'Jane <jane@example.com>', 'jane@example.com'],
    ['Team @ Acme.com, @jane <jane@example.com>', 'Team @ Acme.com, @jane', 'jane@example.com'],
    ['"" <jane@example.com>', null, 'jane@example.com'],
    ['"John" Q. Public <john@example.com>', 'John Q. Public', 'john@example.com'],
    ['Éloïse 🚀 <eloise@example.com>', 'Éloïse 🚀', 'eloise@example.com'],
    ['مهدی\u200cنیا <mehdi@example.com>', 'مهدی\u200cنیا', 'mehdi@example.com'],
    ['क्\u200dष 👩\u200d💻 ❤\ufe0f <k@example.com>', 'क्\u200dष 👩\u200d💻 ❤\ufe0f', 'k@example.com'],
    ['🏴\u{e0067}\u{e0062}\u{e007f} Wales <w@example.com>', '🏴\u{e0067}\u{e0062}\u{e007f} Wales', 'w@example.com'],
    ['\ufeffjane@example.com', null, 'jane@example.com'],
    ['"quoted,local"@example.com', null, '"quoted,local"@example.com'],
    ['Jane <"a<b>@c"@example.com>', 'Jane', '"a<b>@c"@example.com'],
    [`${'😀'.repeat(301)} <jane@example.com>`, '😀'.repeat(301), 'jane@example.com'],
    ['jane@müller.example', null, 'jane@xn--mller-kva.example'],
    ['jane@例え.テスト', null, 'jane@xn--r8jz45g.xn--zckzah'],
    ['jane@ＥＸＡＭＰＬＥ。com', null, 'jane@example.com'],
  ])('reads %s', (input, name, address) => {
    expect(parseMailbox(input)).toEqual({ ok: true, mailbox: { name, address } });
  });

  const refusals: [string, AddressProblem][] = [
    ['', 'empty'],
    ['   ', 'empty'],
    ['a@', 'too_short'],
    [`${'a'.repeat(320)}@b.c`, 'too_long'],
    [`${'😀'.repeat(302)} <jane@example.com>`, 'too_long'],
    ['"quoted local"@example.com', 'local_part_space'],
    ['"a\\ b"@example.com', 'local_part_space'],
    ['Jane <" "@example.com>', 'local_part_space'],
    ['"a\tb"@example.com', 'control_character'],
    ['jane@example.com\n', 'control_character'],
    ['Jane\r\nBcc: x@y.com <jane@example.com>', 'control_character'],
    ['jane\0@example.com', 'control_character'],
    ['"Jane\u0085" <jane@example.com>', 'control_character'],
    ...[...'\u202e\u202a\u2066\u2069\u200e\u200f\u061c\u200b\u200c\u200d\u2060\ufeff\u00ad\u3164\u2028'].map(
      (hidden): [string, AddressProblem] => [`"Jane ${hidden}Doe" <jane@example.com>`, 'hidden_character'],
    ),
    ['moc.knab\u202e <jane@example.com>', 'hidden_character'],
    ['Jane\u{e0041} <jane@example.com>', 'hidden_character'],
    ['jane.example.com', 'no_at'],
    ['Jane <jane>', 'no_at'],
    ['a@example.com, b@example.com', 'several_addresses'],
    ['a@example.com; b@example.com', 'several_addresses'],
    ['a@example.com b@example.com', 'several_addresses'],
    ['A <a@example.com>, B <b@example.com>', 'several_addresses'],
    ['jane(work)@example.com', 'comment'],
    ['jane@example.com(work)', 'comment'],
    ['b@example.com, Jane <jane@example.com>', 'several_addresses'],
    ['Jane <jane@example.com>, Jane <jane@example.com>', 'several_addresses'],
    ['jane@example.com; Jane <jane@example.com>', 'several_addresses'],
    ['"b@example.com, Jane" <jane@example.com>', 'several_addresses'],
    ['Jane, b@example.com <jane@example.com>', 'display_name_holds_address'],
    ['A <b@example.com> <jane@example.com>', 'display_name_holds_address'],
    ['"a <b@c.com>" <jane@example.com>', 'display_name_holds_address'],
    ['ceo@bank.com <jane@example.com>', 'display_name_holds_address'],
    ['Bank (ceo@bank.com) <jane@example.com>', 'display_name_holds_address'],
    ['ceo＠bank。com <jane@example.com>', 'display_name_holds_address'],
    ['ceo\u200b@bank\u00ad.com <jane@example.com>', 'display_name_holds_address'],
    ['xjane@example.com <jane@example.com>', 'display_name_holds_address'],
    ['jane@example.com.evil.com <jane@example.com>', 'display_name_holds_address'],
    ['jane@example.com ceo@bank.com <jane@example.com>', 'display_name_holds_address'],
    ['Jane <jane@example.com> x', 'local_part_invalid'],
    ['\ud800 <jane@example.com>', 'display_name_invalid'],
    ['zoé@example.com', 'local_part_not_ascii'],
    ['.jane@example.com', 'local_part_invalid'],
    ['jane.@example.com', 'local_part_invalid'],
    ['ja..ne@example.com', 'local_part_invalid'],
    ['ja ne@example.com', 'local_part_invalid'],
    ['a@b@example.com', 'local_part_invalid'],
    ['@example.com', 'local_part_invalid'],
    [`${'a'.repeat(65)}@example.com`, 'local_part_too_long'],
    ['jane@[127.0.0.1]', 'address_literal'],
    ['jane@[IPv6:::1]', 'address_literal'],
    ['jane@localhost', 'domain_needs_dot'],
    ['jane@1.2.3.4', 'domain_invalid'],
    ['jane@１.２.３.４', 'domain_invalid'],
    ['jane@0x7f.１', 'domain_invalid'],
    ['jane@exa_mple.com', 'domain_invalid'],
    ['jane@-example.com', 'domain_invalid'],
    ['jane@example-.com', 'domain_invalid'],
    ['jane@example..com', 'domain_invalid'],
    ['jane@.example.com', 'domain_invalid'],
    ['jane@example.com.', 'domain_invalid'],
    ['jane@é%41.com', 'domain_invalid'],
    ['jane@é.com/x', 'domain_invalid'],
    ['jane@example.com:25', 'domain_invalid'],
    [`jane@${'a'.repeat(64)}.com`, 'domain_invalid'],
    [`jane@${'a.'.repeat(127)}com`, 'domain_invalid'],
    [`jane@${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(60)}`, 'address_too_long'],
  ];
  it.each(refusals)('refuses %j as %s', (input, problem) => {
    expect(parseMailbox(input)).toEqual({ ok: false, problem });
  });

  it('accepts a local part of 64 octets and an address of 254', () => {
    const domain = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(57)}.com`;
    const address = `${'l'.repeat(64)}@${domain}`;
    expect(address).toHaveLength(254);
    expect(parseMailbox(address)).toEqual({ ok: true, mailbox: { name: null, address } });
  });
});

describe('readMailbox', () => {
  it('reads what was stored before names that hold an address were refused', () => {
    const mailbox = { name: 'a <b@c.com>', address: 'jane@example.com' };
    expect(readMailbox('"a <b@c.com>" <jane@example.com>')).toEqual({ ok: true, mailbox });
  });
});

describe('parseAddress', () => {
  it('reads an address alone, ignoring surrounding spaces', () => {
    expect(parseAddress(' Jane@Example.com ')).toEqual({ ok: true, address: 'Jane@example.com' });
  });

  it.each(['Jane <jane@example.com>', '<jane@example.com>'])('refuses %s', (input) => {
    expect(parseAddress(input)).toEqual({ ok: false, problem: 'display_name_not_allowed' });
  });
});

describe('addressKey', () => {
  it.each([
    ['Jane@Example.com', 'jane@example.com'],
    [' jane@example.com ', 'jane@example.com'],
    ['"Joe"@x.com', 'joe@x.com'],
    ['"j\\oe"@x.com', 'joe@x.com'],
    ['"joe.doe"@x.com', 'joe.doe@x.com'],
    ['"joe doe"@x.com', '"joe doe"@x.com'],
    ['"joe\\ doe"@x.com', '"joe doe"@x.com'],
    ['"a\\"b"@x.com', '"a\\"b"@x.com'],
    ['".joe"@x.com', '".joe"@x.com'],
    ['joe+tag@x.com', 'joe+tag@x.com'],
  ])('%s compares as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
    expect(addressKey(key)).toBe(key);
  });
});

describe('formatMailbox', () => {
  it.each([
    [null, 'a@b.com'],
    ['Jane Doe', 'Jane Doe <a@b.com>'],
    ['Doe, Jane', '"Doe, Jane" <a@b.com>'],
    ['J. Doe', '"J. Doe" <a@b.com>'],
    ['Jane "JD" \\o/', '"Jane \\"JD\\" \\\\o/" <a@b.com>'],
    ['Éloïse', 'Éloïse <a@b.com>'],
    ['Éloïse (work)', '"Éloïse (work)" <a@b.com>'],
    ['=?utf-8?q?x?=', '"=?utf-8?q?x?=" <a@b.com>'],
    ['a@b.com', '"a@b.com" <a@b.com>'],
  ])('writes %j', (name, expected) => {
    expect(formatMailbox({ name, address: 'a@b.com' })).toBe(expected);
    expect(parseMailbox(expected)).toEqual({ ok: true, mailbox: { name, address: 'a@b.com' } });
  });
});

describe('domainOf and isSimulatorAddress', () => {
  it('takes what follows the last @', () => {
    expect(domainOf('"a@b"@example.com')).toBe('example.com');
  });

  it('recognises the simulator by its exact domain', () => {
    expect(isSimulatorAddress('bounce+1@simulator.amazonses.com')).toBe(true);
    expect(isSimulatorAddress('bounce@SIMULATOR.amazonses.com')).toBe(true);
    expect(isSimulatorAddress('bounce@simulator.amazonses.com.example.com')).toBe(false);
    expect(isSimulatorAddress('bounce@x-simulator.amazonses.com')).toBe(false);
  });
});

describe('addressProblemTexts', () => {
  it.each(Object.entries(addressProblemTexts))(
    '%s differs in the two languages and ends without a period',
    (_, text) => {
      expect(text.en).not.toBe(text.fr);
      expect(`${text.en}|${text.fr}`).not.toMatch(/\.(\||$)/);
    },
  );
});
