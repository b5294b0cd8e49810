import {
  attachmentProblem,
  attachmentProblemTexts,
  encodedSize,
  maxMessageBytes,
  megabytes,
} from '../../../../shared/domain/message/attachment.ts';

const content = 'SGVsbG8=';
const problemsOf = (filename: string) => attachmentProblem({ filename, content }).map(({ problem }) => problem);

describe('attachmentProblem', () => {
  it.each([
    ...['invoice.pdf', 'Facture n° 12 – été.pdf', 'README', 'archive.tar.gz', 'setup.exe.pdf', 'photo.JPG', '.env'],
    ...[
      'notes.',
      '日本.docx',
      'a:b.txt',
      `${'a'.repeat(251)}.pdf`,
      `${'😀'.repeat(251)}.pdf`,
      'constructor',
      'x.exe notes',
      '"quoted".pdf',
    ],
  ])('accepts the file name %s', (filename) => {
    expect(problemsOf(filename)).toEqual([]);
  });

  it.each([
    ...['setup.exe', 'SETUP.EXE', 'run.bat', 'run.js', 'run.vbs', 'run.scr', 'invoice.pdf.exe', '.exe', 'x.ps1'],
    ...['setup.exe.', 'setup.exe. . ', 'setup.exe ', 'setup.exe\u200b', 'setup.exe\u00a0', 'photo\u202egpj.exe'],
    ...['setup.exe:hidden.txt', 'setup.txt:run.exe', 'setup.exe::$DATA', 'a.appref-ms', 'a.ex_', 'a.iso', 'a.py'],
    ...['exe', 'js', 'BAT', 'exe ', 'exe.', 'exe:x', 'x:exe'],
  ])('refuses the extension of %j', (filename) => {
    expect(problemsOf(filename)).toEqual(['extension_forbidden']);
  });

  it.each([
    ['', 'filename_empty'],
    [' . ', 'filename_empty'],
    ['..', 'filename_empty'],
    ['\u200b', 'filename_empty'],
    [`${'a'.repeat(252)}.pdf`, 'filename_too_long'],
    [`${'😀'.repeat(252)}.pdf`, 'filename_too_long'],
    ['a\r\nContent-Type: text/html.pdf', 'filename_control_character'],
    ['a\n.pdf', 'filename_control_character'],
    ['a\0.pdf', 'filename_control_character'],
    ['a\u0085.pdf', 'filename_control_character'],
    ['\ud800.pdf', 'filename_control_character'],
    ['../../etc/passwd', 'filename_path'],
    ['C:\\temp\\a.pdf', 'filename_path'],
    ['=?utf-8?Q?run.exe?=', 'filename_encoded_word'],
  ])('refuses the file name %j as %s', (filename, problem) => {
    expect(problemsOf(filename)).toEqual([problem]);
  });

  it('reports both fields when both are wrong', () => {
    expect(attachmentProblem({ filename: 'x.exe', content: 'no base64' })).toEqual([
      { field: 'filename', problem: 'extension_forbidden' },
      { field: 'content', problem: 'base64_invalid' },
    ]);
  });

  it('has a text for each problem in both languages', () => {
    for (const text of Object.values(attachmentProblemTexts)) expect(text.en).not.toBe(text.fr);
  });
});

describe('megabytes', () => {
  it.each([
    [maxMessageBytes, '40.0 MB', '40,0 Mo'],
    [maxMessageBytes + 1, '40.1 MB', '40,1 Mo'],
    [1, '0.1 MB', '0,1 Mo'],
    [1234.5 * 1024 * 1024, '1,234.5 MB', '1\u202f234,5 Mo'],
  ])('writes %d bytes as %s and %s', (bytes, en, fr) => {
    expect(megabytes(bytes)).toEqual({ en, fr });
  });
});

describe('encodedSize', () => {
  it.each([
    [0, 0],
    [76, 78],
    [77, 81],
  ])('of %d characters of base64 is %d bytes', (characters, bytes) => {
    expect(encodedSize(characters)).toBe(bytes);
  });
});
