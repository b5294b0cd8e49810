import { randomUUID } from 'node:crypto';
import { call, eventually } from '../../client.ts';
import { setFaults } from '../../inbox.ts';
import { startService } from '../../service.ts';

describe('kill -9 in the middle of a send', () => {
  it('gives back the reservation of a killed send', async () => {
    let service = await startService();
    const { dataDir } = service;
    try {
      await setFaults(service, { hang: true });
      const body = { from: 'hello@example.com', to: ['a@example.net', 'b@example.net'], subject: 'Once', text: 'Hi.' };
      const headers = { 'Idempotency-Key': randomUUID() };
      const unanswered = call(service, 'POST', '/api/v1/emails', { body, headers }).catch(() => null);
      await eventually(async () => (await call(service, 'GET', '/api/v1/me')).body.emails_remaining === 2998);
      await service.kill();
      await unanswered;
      service = await startService({ dataDir });
      expect((await call(service, 'GET', '/api/v1/me')).body.emails_remaining).toBe(2998);
      Object.assign(process.env, service.environment);
      const { sweepOpenSends } = await import('../../../../shared/services/sweep/settleSends.ts');
      await sweepOpenSends(new Date(Date.now() + 3_600_000));
      expect((await call(service, 'GET', '/api/v1/me')).body.emails_remaining).toBe(3000);
    } finally {
      await service.stop();
    }
  });
});
