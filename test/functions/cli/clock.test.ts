import { call } from '../../acceptance/client.ts';
import { type ClockedService, startClockedService } from '../../acceptance/clockedService.ts';
import { mailroom } from './mailroom.ts';

let service: ClockedService;
beforeAll(async () => {
  service = await startClockedService();
});
afterAll(() => service.stop());

const run = (...words: string[]) => mailroom([...words, '--data', service.dataDir]);

describe('clock', () => {
  it('advances, says what was done at which time, and what is due next', async () => {
    const at = new Date((await service.now()).getTime() + 86_400_000).toISOString();
    const email = { from: 'hello@example.com', to: 'ada@example.net', subject: 'Later', text: 'Hi.', scheduled_at: at };
    await call(service, 'POST', '/api/v1/emails', { body: email });
    const { stdout: before } = await run('clock', 'next');
    expect(before).toMatch(/^\S+Z +sweep: scheduled +1$/m);
    const { stdout, code } = await run('clock', 'advance', '2', 'days');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\S+Z {2}1 email sent, 1 message of confirmation {2}\(due: /m);
    expect(stdout).toMatch(/^The clock is at \S+Z after \d+ hops\. All that was due is done\.$/m);
    const { stdout: shown } = await run('clock', 'show');
    expect(shown).toMatch(/^Ahead +(2 days|1 day, 23 hours, 59 minutes)/m);
    // What a command makes has the time of the service.
    const { stdout: link } = await run('operator', 'link', '--json');
    expect(Date.parse(JSON.parse(link).expires_at)).toBeGreaterThan((await service.now()).getTime());
  });

  it('refuses what is no duration, a stack, and a folder without a service', async () => {
    expect(await run('clock', 'advance', '3', 'moons')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"3 moons" is no duration'),
    });
    expect(await run('clock', 'show', '--stack', 'prod')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('on AWS cannot be moved'),
    });
    expect(await mailroom(['clock', 'show', '--data', `${service.dataDir}-none`])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm start -- --clock'),
    });
  });
});
