import { importsOf, readSources } from './importGraph.ts';
import { circles, wrongImports } from './importRules.ts';

const sources = readSources();
const imports = [...sources].flatMap(([path, source]) => importsOf(path, source));

/** What the rules say of these lines in these files, beside the files that are there. */
function planted(lines: Readonly<Record<string, string>>): { wrong: string[]; circles: string[][] } {
  const added = Object.entries(lines).flatMap(([path, line]) => importsOf(path, line));
  return { wrong: wrongImports(added), circles: circles([...imports, ...added]) };
}

describe('imports', () => {
  it('go where the table lets them, types included', () => {
    expect(wrongImports(imports)).toEqual([]);
  });

  it('form no circle of files', () => {
    expect(circles(imports)).toEqual([]);
  });

  it('lead to files that are there', () => {
    const missing = imports.filter(({ to }) => /^(functions|infra|shared|test)\/.*\.ts$/.test(to) && !sources.has(to));
    expect(missing).toEqual([]);
  });

  it.each<[string, string]>([
    ['shared/language/text.ts', `import { z } from 'zod';`],
    ['shared/language/text.ts', `import type { Plan } from '../domain/sending/plan.ts';`],
    ['shared/platform/clock.ts', `export { plans } from '../domain/sending/plan.ts';`],
    ['shared/platform/logger.ts', `import type { Text } from '../language/text.ts';`],
    ['shared/domain/sending/plan.ts', `import { config } from '../../platform/config.ts';`],
    ['shared/domain/sending/plan.ts', `import type { Issue } from '../../contract/errors.ts';`],
    ['shared/domain/sending/plan.ts', `type W = import('../../store/workspace/workspaces.ts').Workspace;`],
    ['shared/domain/sending/plan.ts', `import { readFileSync } from 'node:fs';`],
    ['shared/domain/sending/plan.ts', 'const plan = await import(name);'],
    ['shared/contract/route.ts', `import { config } from '../platform/config.ts';`],
    ['shared/contract/route.ts', `export type * from '../services/context.ts';`],
    ['shared/store/table/table.ts', `let send: typeof import('../../services/emails/send.ts');`],
    ['shared/store/table/table.ts', `import { sendEmail } from '../../email/ses.ts';`],
    ['shared/store/table/table.ts', `import { SQSClient } from '@aws-sdk/client-sqs';`],
    ['shared/email/ses.ts', `import { SESClient } from '@aws-sdk/client-ses';`],
    ['shared/queue/campaign.ts', 'const store = await import(`../store/table/table.ts`);'],
    ['shared/outbound/hostCheck.ts', `import axios from 'axios';`],
    ['shared/services/emails/send.ts', `import type { Call } from '../../http/call.ts';`],
    ['shared/services/emails/send.ts', `import { emailKey } from '../../store/table/keys.ts';`],
    ['shared/services/emails/send.ts', `import type { PutCommand } from '@aws-sdk/lib-dynamodb';`],
    ['shared/services/emails/send.ts', `import { layout } from '../../pages/layout.ts';`],
    ['shared/pages/join.ts', `import { headerOf } from '../http/credentials.ts';`],
    ['shared/pages/join.ts', `import { getWorkspace } from '../store/workspace/workspaces.ts';`],
    ['shared/http/endpoint.ts', `import { handler } from '../../functions/api/emails/send.ts';`],
    ['functions/api/emails/send.ts', `const { getEmail } = require('../../../shared/store/sending/emails.ts');`],
    ['functions/workers/sweep.ts', `import { queues } from '../../infra/resources.ts';`],
    ['functions/cli/action.ts', `import { seed } from '../../infra/local/seed.ts';`],
    ['infra/app.ts', `const worker = new Worker(new URL('./local/messaging/messagingThread.ts', import.meta.url));`],
    ['infra/local/main.ts', `import { startService } from '../../test/acceptance/service.ts';`],
    ['infra/local/main.ts', `import { SqsStore } from '../../node_modules/fauxqs/dist/sqs/sqsQueue.js';`],
    ['scripts/send.ts', `import { send } from '../shared/services/emails/send.ts';`],
  ])('in %s, %s is refused', (path, line) => {
    expect(planted({ [path]: line }).wrong).toHaveLength(1);
  });

  it.each([
    [
      'two files',
      {
        'shared/domain/a.ts': `import { b } from './b.ts';`,
        'shared/domain/b.ts': `import type { A } from './a.ts';`,
      },
    ],
    [
      'three files that load each other when they need it',
      {
        'shared/services/a.ts': `export * from './b.ts';`,
        'shared/services/b.ts': `const { c } = await import('./c.ts');`,
        'shared/services/c.ts': `type A = import('./a.ts').A;`,
      },
    ],
    ['a file that imports itself', { 'shared/domain/a.ts': `import type { A } from './a.ts';` }],
  ])('%s in a circle are found', (_, lines) => {
    expect(planted(lines).circles).toEqual([Object.keys(lines)]);
  });
});
