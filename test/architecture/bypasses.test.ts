import { bypassesOf } from './bypasses.ts';
import { readSources } from './importGraph.ts';

describe('a way around the rules', () => {
  it('is taken nowhere', () => {
    const found = [...readSources()].flatMap(([path, source]) => bypassesOf(path, source));
    expect(found).toEqual([]);
  });

  it.each([
    ['shared/platform/clock.ts', `import { createRequire } from 'node:module';`],
    ['shared/platform/clock.ts', `const fs = createRequire(import.meta.url)('node:fs');`],
    ['shared/platform/clock.ts', `import * as module from 'node:module'; module.createRequire(import.meta.url);`],
    ['shared/platform/clock.ts', `(await import('node:module'))['createRequire'](import.meta.url);`],
    ['shared/services/emails/send.ts', `const fs = process.getBuiltinModule('node:fs');`],
    ['shared/services/emails/send.ts', `const { getBuiltinModule } = process;`],
    ['shared/services/emails/send.ts', `await fetch('http://169.254.169.254/');`],
    ['shared/services/emails/send.ts', `await globalThis.fetch(url);`],
    ['shared/services/emails/send.ts', `await globalThis['fetch'](url);`],
    ['shared/services/emails/send.ts', `const ask = fetch;`],
    ['shared/services/emails/send.ts', `post({ fetch });`],
    ['shared/services/emails/send.ts', `import { sendEnvelope } from '../../email/ses.ts';`],
    ['shared/services/campaigns/send.ts', `import { sendBulk as go } from '../../email/bulk.ts';`],
    ['shared/services/sendingHold.ts', `import { sendBulk } from '../email/bulk.ts';`],
    ['shared/services/campaigns/internal/submitBulk.ts', `import { sendEnvelope } from '../../../email/ses.ts';`],
    ['shared/services/emails/send.ts', `await provider.send(new SendEmailCommand(input));`],
    ['infra/local/main.ts', `new Worker('./thread.ts');`],
    ['infra/local/main.ts', 'new Worker(`${folder}/thread.ts`);'],
    ['infra/local/main.ts', `new Worker(folder + '/thread.ts');`],
    ['infra/local/main.ts', `const run = new Function('return process');`],
    ['infra/local/main.ts', `eval(text);`],
    ['shared/platform/clock.ts', `import module from 'node:module'; module['create' + 'Require'](import.meta.url);`],
    ['shared/platform/clock.ts', `import { runInThisContext } from 'node:vm';`],
    ['shared/services/emails/send.ts', `process.binding('fs');`],
    ['shared/services/emails/send.ts', `process['dlopen'](module, 'x.node');`],
    ['shared/services/emails/send.ts', `const { ['getBuiltin' + 'Module']: load } = process;`],
    ['shared/services/emails/send.ts', `process['getBuiltin' + 'Module']('fs');`],
    ['shared/services/emails/send.ts', `const world = globalThis; await world.fetch('http://10.0.0.1/');`],
    ['shared/services/emails/send.ts', `await Reflect.get(globalThis, 'fetch')(url);`],
    ['shared/services/emails/send.ts', `const { fetch: ask } = globalThis;`],
    ['shared/services/emails/send.ts', `const socket = new WebSocket('ws://10.0.0.1/');`],
    ['shared/services/emails/send.ts', `const source = new EventSource('http://10.0.0.1/');`],
    ['shared/services/emails/send.ts', `const run = (0, eval)('1');`],
    ['shared/services/emails/send.ts', `const run = Reflect.construct(Function, ['return process']);`],
    ['infra/local/main.ts', `const path = './thread.ts'; new Worker(path);`],
    ['infra/local/main.ts', `import { Worker as Thread } from 'node:worker_threads';`],
    ['infra/local/main.ts', `import * as threads from 'node:worker_threads';`],
    ['shared/domain/sending/quota.ts', `const { now } = Date;`],
    ['shared/domain/sending/quota.ts', `const clock = Date; clock.now();`],
    ['shared/domain/sending/quota.ts', `const moment = Reflect.construct(Date, []);`],
    ['shared/domain/sending/quota.ts', `const moment = Temporal.Now.instant();`],
    ['shared/domain/sending/quota.ts', `const { random } = Math;`],
    ['shared/domain/sending/quota.ts', `const id = crypto.randomUUID();`],
    ['shared/domain/sending/quota.ts', `import { createHash, randomInt as dice } from 'node:crypto';`],
    ['shared/domain/sending/quota.ts', `const stage = process.env.STAGE;`],
    ['shared/domain/sending/quota.ts', `setTimeout(() => {}, 5);`],
    ['shared/domain/sending/quota.ts', `const now = Date.now();`],
    ['shared/domain/sending/quota.ts', `const now = new Date();`],
    ['shared/domain/sending/quota.ts', `const now = Date();`],
    ['shared/domain/sending/quota.ts', `const chance = Math.random();`],
    ['shared/domain/sending/quota.ts', `const start = performance['now']();`],
    ['shared/services/emails/send.ts', `const at = new Date();`],
    ['shared/store/jobs.ts', `const at = Date.now();`],
    ['infra/local/scheduler/rules.ts', `run({ now: Date.now });`],
    ['functions/cli/output.ts', `const today = Temporal.Now.plainDateISO();`],
    ['shared/services/emails/send.ts', `import { machineTime } from '../../platform/clock.ts';`],
    ['shared/services/emails/send.ts', `import { runAhead } from '../../platform/clock.ts';`],
  ])('in %s, %s is found', (path, source) => {
    expect(bypassesOf(path, source)).not.toEqual([]);
  });

  it.each([
    ['shared/outbound/post.ts', `await fetch(url);`],
    ['shared/mcp/internal/server.ts', `const { fetch } = handler; await fetch(request);`],
    ['shared/mcp/internal/server.ts', `await handler.fetch(request);`],
    ['shared/domain/sending/quota.ts', `const at = new Date(milliseconds);`],
    ['shared/domain/sending/quota.ts', `const at = at instanceof Date ? at : Date.parse(at);`],
    ['shared/domain/sending/quota.ts', `const most = Math.max(1, 2);`],
    ['shared/domain/identifier.ts', `import { randomBytes } from 'node:crypto';`],
    ['shared/platform/logger.ts', `import { SourceMap } from 'node:module';`],
    ['shared/platform/config.ts', `const stage = process.env.STAGE ?? process['env'].NODE_ENV;`],
    ['shared/platform/clock.ts', `const now = Date.now();`],
    ['shared/services/emails/send.ts', `const at = new Date(now().getTime() + 1000);`],
    ['shared/console/browser/editor/autosave.js', `const at = new Date();`],
    ['infra/local/main.ts', `new Worker(new URL('./thread.ts', import.meta.url));`],
  ])('in %s, %s is none', (path, source) => {
    expect(bypassesOf(path, source)).toEqual([]);
  });
});
