/** A folder with a rule of its own; what lies deeper belongs to it unless a deeper one has its own rule. */
export interface Layer {
  /** What it may import of the project besides itself: folders of this table, or single files. */
  readonly project: readonly string[];
  /** What it may import from outside; `*` stands for any ending. */
  readonly packages: readonly string[];
}

const foundation = ['shared/contract', 'shared/domain', 'shared/language', 'shared/platform'];
const outside = ['shared/store', 'shared/email', 'shared/identity', 'shared/queue', 'shared/outbound'];

/** Which folder may import which, from the top of the house to its ground. Nothing imports what stands above it. */
export const layers: Readonly<Record<string, Layer>> = {
  test: { project: ['infra', 'infra/local', 'functions/*', 'shared/*', 'openapi', 'docs'], packages: ['*'] },

  'infra/local': {
    project: ['infra', 'shared/http', 'shared/services', 'shared/queue/sqs', ...outside, ...foundation],
    packages: ['*'],
  },
  infra: {
    project: ['openapi', 'shared/contract', 'shared/domain', 'shared/language', 'shared/platform'],
    packages: ['aws-cdk-lib', 'aws-cdk-lib/*', 'cdk-nag', 'constructs', 'esbuild', 'zod', 'node:*'],
  },

  'functions/api': {
    project: ['shared/http', 'shared/services', 'shared/contract', 'shared/language'],
    packages: [],
  },
  'functions/console': { project: ['shared/http'], packages: [] },
  'functions/mcp': { project: ['shared/mcp'], packages: [] },
  'functions/pages': { project: ['shared/http', 'shared/pages'], packages: [] },
  'functions/workers': {
    project: ['shared/services', 'shared/queue', 'shared/email', 'shared/platform'],
    packages: ['aws-lambda'],
  },
  'functions/cli': {
    project: ['functions/cli/connect', 'shared/services', ...foundation],
    packages: ['commander', 'cli-progress', 'node:*'],
  },
  'functions/cli/connect': {
    project: [
      'infra/local',
      'infra/resources.ts',
      'infra/settings.ts',
      'shared/contract',
      'shared/language',
      'shared/platform',
    ],
    packages: ['@aws-sdk/client-cloudformation', 'node:*'],
  },

  'shared/mcp': {
    project: ['shared/http', 'openapi', ...foundation],
    packages: [
      '@modelcontextprotocol/server',
      'aws-lambda',
      'zod',
      'node:buffer',
      'node:http',
      'node:https',
      'node:util',
      'node:zlib',
    ],
  },
  'shared/http': {
    project: ['shared/console', 'shared/pages', 'shared/services', 'shared/store', ...foundation],
    packages: [
      '@fastify/busboy',
      '@middy/core',
      'aws-lambda',
      'zod',
      'node:buffer',
      'node:crypto',
      'node:util',
      'node:zlib',
    ],
  },
  'shared/console': {
    project: ['shared/pages/html.ts', 'shared/services', ...foundation],
    packages: ['node:crypto', 'zod'],
  },
  'shared/pages': { project: ['shared/services', ...foundation], packages: ['node:crypto'] },
  'shared/services': {
    project: [...outside, ...foundation, 'openapi'],
    packages: [
      'zod',
      'bowser',
      'csv-parse',
      'csv-stringify/sync',
      'node:crypto',
      'node:fs*',
      'node:stream*',
      'node:timers*',
    ],
  },

  'shared/store': {
    project: ['shared/store/table', 'shared/store/dynamodb', ...foundation],
    packages: ['@smithy/core/checksum', '@smithy/signature-v4', 'zod', 'node:crypto', 'node:timers*'],
  },
  /** Keys, expressions and parts of transactions: what stands above the store knows none of them. */
  'shared/store/table': {
    project: ['shared/store/dynamodb', ...foundation],
    packages: ['zod', 'node:crypto', 'node:util', 'node:zlib'],
  },
  /** DynamoDB's protocol: it knows nothing of what is stored. */
  'shared/store/dynamodb': {
    project: ['shared/platform'],
    packages: ['@aws-sdk/lib-dynamodb'],
  },
  'shared/email': {
    project: foundation,
    packages: ['@aws-sdk/client-sesv2', 'nodemailer/*', 'zod', 'node:buffer', 'node:crypto', 'node:stream'],
  },
  /** Who operators are: the provider that says so, and the accounts that a deployment keeps for them. */
  'shared/identity': {
    project: foundation,
    packages: ['@aws-sdk/client-cognito-identity-provider', 'openid-client', 'node:fs/promises'],
  },
  'shared/queue': {
    project: ['shared/queue/sqs', ...foundation],
    packages: ['@aws-lambda-powertools/batch', 'aws-lambda', 'zod'],
  },
  /** SQS's protocol: it knows nothing of what the messages say. */
  'shared/queue/sqs': { project: ['shared/platform'], packages: ['@aws-sdk/client-sqs', 'node:crypto'] },
  'shared/outbound': {
    project: foundation,
    packages: ['node:dns/promises', 'node:http', 'node:https', 'node:net', 'node:timers/promises'],
  },

  'shared/contract': { project: ['shared/domain', 'shared/language'], packages: ['zod'] },
  'shared/domain': {
    project: ['shared/language'],
    packages: ['zod', 'ipaddr.js', 'node:crypto', 'node:url', 'node:zlib'],
  },
  'shared/language': { project: [], packages: [] },
  'shared/platform': {
    project: [],
    packages: [
      '@aws-sdk/*',
      '@aws-lambda-powertools/logger',
      '@smithy/core/retry',
      '@smithy/node-http-handler',
      'aws-lambda',
      'zod',
      'node:*',
    ],
  },

  openapi: { project: [], packages: [] },
  'docs/receivers': { project: [], packages: ['node:*'] },
};
