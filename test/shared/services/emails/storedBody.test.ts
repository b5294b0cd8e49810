import { randomBytes } from 'node:crypto';
import type { Chunks } from '../../../../shared/platform/memory.ts';
import { readBody, writeBody } from '../../../../shared/services/emails/internal/scheduleEmail.ts';

const email = { from: 'a@example.com', to: ['b@example.net'], subject: 'Hé\n', text: 'Hi.' };
const halves = (bytes: Buffer) => [bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2)];
const inline = { filename: 'a.txt', content: 'SGVsbG8=' };

describe('the stored body of a scheduled email', () => {
  it('is read as it was written, uploads byte for byte', () => {
    const files = [randomBytes(5), Buffer.from('\n\n'), Buffer.alloc(0), randomBytes(70_000)];
    const attachments = [
      ...files.map((content, index) => ({
        filename: `${index}.bin`,
        content: halves(content),
        announced: content.length,
      })),
      inline,
    ];
    const written = Buffer.concat(writeBody({ ...email, attachments }));
    const read = readBody(
      [0, 3, 200, 600, 601, 40_000].map((start, index, all) => written.subarray(start, all[index + 1])),
    );
    expect(read).toMatchObject(email);
    expect(read.attachments?.at(-1)).toEqual(inline);
    for (const [index, file] of files.entries()) {
      expect(read.attachments?.[index]?.filename).toBe(`${index}.bin`);
      expect(file.equals(Buffer.concat(read.attachments?.[index]?.content as Chunks))).toBe(true);
    }
    expect(readBody(writeBody(email))).toEqual(email);
  });

  it('is one line of JSON when all files are in base64', () => {
    const whole = { ...email, attachments: [inline] };
    const line = Buffer.from(JSON.stringify(whole));
    expect(Buffer.concat(writeBody(whole))).toEqual(line);
    expect(readBody(halves(line))).toEqual(whole);
  });
});
