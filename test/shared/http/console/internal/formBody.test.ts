import type { APIGatewayProxyEvent } from 'aws-lambda';
import { readFormBody } from '../../../../../shared/http/console/internal/formBody.ts';

const type = 'multipart/form-data; boundary=XX';
const field = '--XX\r\nContent-Disposition: form-data; name="list"\r\n\r\npeople\r\n';
const file = '--XX\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\nada@example.net';

const posted = (body: string) =>
  readFormBody({ body, isBase64Encoded: false, headers: { 'content-type': type } } as unknown as APIGatewayProxyEvent);

it('reads fields and the file of a whole body', async () => {
  const given = await posted(`${field}${file}\r\n--XX--\r\n`);
  expect(given?.form.get('list')).toBe('people');
  expect(given?.files.get('file')?.bytes.toString()).toBe('email\nada@example.net');
});

it.each([
  ['inside a file', `${field}${file}`],
  ['inside the headers of a file', `${field}--XX\r\nContent-Disposition: form-data; name="file"; filen`],
  ['inside a field', '--XX\r\nContent-Disposition: form-data; name="list"\r\n\r\npeo'],
  ['before anything', ''],
])('takes nothing of a body that breaks off %s, and lives', async (_, body) => {
  const given = await posted(body);
  // What the parser tells of in a later tick would end this process, and fail the suite.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([given?.form.size, given?.files.size]).toEqual([0, 0]);
});
