import { importsOf, readSources, runtimeImportsOf } from './importGraph.ts';
import { brokenInternals, circles, folderCircles, hiddenInFace, openedInternals, wrongImports } from './importRules.ts';
import { subjects } from './layers.ts';

const sources = readSources();
const imports = [...sources].flatMap(([path, source]) => importsOf(path, source));

const productImports = imports.filter(({ from }) => !from.startsWith('test/'));

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

  it('form no circle of neighbouring folders', () => {
    expect(folderCircles(productImports)).toEqual([]);
  });

  it('respect internal folders', () => {
    expect(brokenInternals(imports)).toEqual([]);
  });

  it('open no internal file through a face', () => {
    expect([...sources].flatMap(([path, source]) => openedInternals(path, source))).toEqual([]);
  });

  it('use every file in the face of a subject from outside', () => {
    expect(hiddenInFace(subjects, productImports)).toEqual([]);
  });

  it('lead to files that are there', () => {
    const missing = imports.filter(({ to }) => /^(functions|infra|shared|test)\/.*\.ts$/.test(to) && !sources.has(to));
    expect(missing).toEqual([]);
  });

  it('load fewer than 100 files to send an email', () => {
    const loaded = new Set(['functions/api/emails/send.ts']);
    for (const path of loaded) {
      for (const { to } of runtimeImportsOf(path, sources.get(path) ?? '')) if (sources.has(to)) loaded.add(to);
    }
    expect(loaded.has('shared/email/ses.ts')).toBe(true);
    expect(loaded.size).toBeLessThan(100);
  });

  it.each<[string, string]>([
    ['shared/language/text.ts', `import { z } from 'zod';`],
    ['shared/language/text.ts', `import type { Plan } from '../domain/sending/plan.ts';`],
    ['shared/platform/clock.ts', `export { plans } from '../domain/sending/plan.ts';`],
    ['shared/platform/logger.ts', `import type { Text } from '../language/text.ts';`],
    ['shared/domain/sending/quota.ts', `import { config } from '../../platform/config.ts';`],
    ['shared/domain/sending/quota.ts', `import type { Issue } from '../../contract/errors.ts';`],
    ['shared/domain/sending/quota.ts', `type W = import('../../store/workspace/workspaces.ts').Workspace;`],
    ['shared/domain/sending/quota.ts', `import { readFileSync } from 'node:fs';`],
    ['shared/domain/sending/quota.ts', 'const plan = await import(name);'],
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
    ['shared/pages/join.ts', `import { headerOf } from '../http/authenticate.ts';`],
    ['shared/pages/join.ts', `import { getWorkspace } from '../store/workspace/workspaces.ts';`],
    ['shared/http/endpoint.ts', `import { handler } from '../../functions/api/emails/send.ts';`],
    ['functions/api/emails/send.ts', `const { getEmail } = require('../../../shared/store/emails/email.ts');`],
    ['functions/workers/sweep.ts', `import { queues } from '../../infra/resources.ts';`],
    ['functions/cli/command.ts', `import { seed } from '../../infra/local/seed.ts';`],
    ['infra/app.ts', `const worker = new Worker(new URL('./local/messaging/messagingThread.ts', import.meta.url));`],
    ['infra/local/main.ts', `import { startService } from '../../test/acceptance/service.ts';`],
    ['infra/local/main.ts', `import { SqsStore } from '../../node_modules/fauxqs/dist/sqs/sqsQueue.js';`],
    ['infra/local/main.ts', `await import('./' + name);`],
    ['infra/local/main.ts', `import '/etc/secret.ts';`],
    ['infra/local/main.ts', `import 'file:///tmp/secret.ts';`],
    ['infra/local/main.ts', `await import('data:text/javascript,export default 1');`],
    ['shared/services/emails/send.ts', 'await import(`./${name}.ts`);'],
    ['shared/services/emails/send.ts', `import { readFileSync } from 'fs';`],
    ['shared/console/answer.ts', `import { handler } from '../../functions/api/emails/send.ts';`],
    ['shared/console/browser/forms.js', `/** @import { Context } from '../../services/context.ts' */`],
    ['shared/console/browser/forms.js', `/** @type {import('../../services/context.ts').Context} */`],
    ['shared/domain/sending/quota.ts', `/// <reference path="../../services/context.ts" />`],
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

describe('the rules about folders', () => {
  it('find two folders in a circle, and a file and a folder', () => {
    const added = [
      ...importsOf('shared/domain/address/a.ts', `import { b } from '../person/b.ts';`),
      ...importsOf('shared/domain/person/c.ts', `import type { D } from '../address/d.ts';`),
      ...importsOf('shared/services/e.ts', `import { f } from './emails/f.ts';`),
      ...importsOf('shared/services/emails/g.ts', `import { e } from '../e.ts';`),
    ];
    expect(folderCircles(added)).toEqual([
      ['shared/domain/address', 'shared/domain/person'],
      ['shared/services/e.ts', 'shared/services/emails'],
    ]);
  });

  it.each([
    ['another subject', 'shared/services/emails/send.ts', '../campaigns/internal/freeze.ts'],
    ['a function', 'functions/api/emails/send.ts', '../../../shared/services/emails/internal/draft.ts'],
    ['a deeper folder of another', 'shared/services/emails/internal/a.ts', '../../campaigns/internal/freeze.ts'],
    ['its holder’s parent', 'shared/services/context.ts', './emails/internal/draft.ts'],
  ])('refuse an import of an internal file by %s', (_, path, specifier) => {
    expect(brokenInternals(importsOf(path, `import { x } from '${specifier}';`))).toHaveLength(1);
  });

  it.each([
    ['its subject', 'shared/services/emails/send.ts', './internal/draft.ts'],
    ['its neighbour', 'shared/services/emails/internal/a.ts', './draft.ts'],
    ['a test', 'test/shared/services/emails/draft.test.ts', '../../../../shared/services/emails/internal/draft.ts'],
  ])('allow it by %s', (_, path, specifier) => {
    expect(brokenInternals(importsOf(path, `import { x } from '${specifier}';`))).toEqual([]);
  });

  it.each([
    `export { freeze } from './internal/freeze.ts';`,
    `export type { Freezing } from './internal/freeze.ts';`,
    `export * from './internal/freeze.ts';`,
    `export * as freezing from './internal/freeze.ts';`,
    `import { freeze } from './internal/freeze.ts'; export { freeze };`,
    `import { freeze } from './internal/freeze.ts'; export { freeze as start };`,
  ])('refuse to open an internal file: %s', (line) => {
    expect(openedInternals('shared/services/campaigns/sendCampaign.ts', line)).toHaveLength(1);
  });

  it('allow a face to use what is internal', () => {
    const line = `import { freeze } from './internal/freeze.ts'; export const send = () => freeze(); export { x } from './x.ts';`;
    expect(openedInternals('shared/services/campaigns/sendCampaign.ts', line)).toEqual([]);
  });

  it('find a file in the face of a subject that nobody else uses', () => {
    const added = [
      ...importsOf('functions/api/emails/send.ts', `import { send } from '../../../shared/services/emails/send.ts';`),
      ...importsOf('shared/services/emails/send.ts', `import { draft } from './draft.ts';`),
    ];
    expect(hiddenInFace(['shared/services'], added)).toEqual([
      expect.stringContaining('shared/services/emails/draft.ts is used by its own subject alone'),
    ]);
  });
});
