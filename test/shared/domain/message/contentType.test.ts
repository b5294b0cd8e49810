import { contentTypeOf } from '../../../../shared/domain/message/header.ts';

describe('contentTypeOf', () => {
  it.each([
    ['invoice.pdf', 'application/pdf'],
    ['INVOICE.PDF', 'application/pdf'],
    ['report.final.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['data.csv', 'text/csv'],
    ['meeting.ics', 'text/calendar'],
    ['photo.HEIC', 'image/heic'],
    ['backup.tar.gz', 'application/gzip'],
  ])('%s is %s', (filename, type) => {
    expect(contentTypeOf(filename)).toBe(type);
  });

  it.each(['README', 'file.unknown', 'pdf', 'a.constructor', 'a.__proto__', ''])(
    '%j is of an unknown type',
    (filename) => {
      expect(contentTypeOf(filename)).toBe('application/octet-stream');
    },
  );
});
