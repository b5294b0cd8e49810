/** A folder with a rule of its own; what lies deeper belongs to it unless a deeper one has its own rule. */
export interface Layer {
  /** What it may import of the project besides itself: folders of this table, or single files. */
  readonly project: readonly string[];
  /** What it may import from outside; `*` stands for any ending. */
  readonly packages: readonly string[];
}

const foundation = ['shared/contract', 'shared/domain', 'shared/language', 'shared/platform'];
const outside = [
  'shared/store',
  'shared/store/files',
  'shared/store/archive',
  'shared/email',
  'shared/identity',
  'shared/queue',
  'shared/outbound',
];

/** Which folder may import which, from the highest layer to the lowest. Nothing imports a layer above its own. */
export const layers: Readonly<Record<string, Layer>> = {
  /** The continuous-integration runner. */
  '.ci': { project: [], packages: ['node:*'] },
  /** What the workflows of the repository run. */
  '.github': { project: [], packages: ['node:*'] },

  /** The site of the documentation, with packages of its own. */
  'docs/site': { project: [], packages: ['vitepress', 'vitepress/theme', 'node:*'] },

  /** The client of the API: a package that runs elsewhere. */
  'openapi/client': { project: [], packages: ['@hey-api/openapi-ts'] },

  test: {
    project: ['infra', 'infra/doctor', 'infra/local', 'functions/*', 'shared/*', 'openapi', 'docs'],
    packages: ['*'],
  },

  'infra/local': {
    project: ['infra', 'shared/http', 'shared/pages/html.ts', 'shared/services', ...outside, ...foundation],
    packages: ['*'],
  },
  infra: {
    project: ['openapi', 'shared/documentation', 'shared/documentation/catalog', ...foundation],
    packages: [
      '@aws-sdk/client-cloudformation',
      'aws-cdk-lib',
      'aws-cdk-lib/*',
      'cdk-nag',
      'constructs',
      'esbuild',
      'zod',
      'node:*',
    ],
  },

  /** What is in the way of a deployment, as AWS says. */
  'infra/doctor': {
    project: ['infra', 'shared/platform'],
    packages: [
      '@aws-sdk/client-cloudformation',
      '@aws-sdk/client-lambda',
      '@aws-sdk/client-sesv2',
      '@aws-sdk/client-sns',
      'node:path',
    ],
  },

  /** Replacements for packages in a bundle. */
  'infra/bundling/substitutes': { project: [], packages: ['@aws-sdk/credential-provider-env', 'node:process'] },

  'functions/api': {
    project: ['shared/http', 'shared/services', 'shared/contract', 'shared/language'],
    packages: [],
  },
  'functions/console': { project: ['shared/http'], packages: [] },
  'functions/mcp': { project: ['shared/mcp'], packages: [] },
  'functions/resend': { project: ['shared/resend'], packages: [] },
  'functions/pages': { project: ['shared/http', 'shared/pages'], packages: [] },
  'functions/workers': {
    project: ['shared/services', 'shared/queue', 'shared/email', 'shared/platform'],
    packages: ['aws-lambda'],
  },
  'functions/cli': {
    project: ['functions/cli/connect', 'infra/doctor', 'shared/services', ...foundation],
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
    project: ['shared/http', 'shared/documentation/catalog', ...foundation],
    packages: ['@modelcontextprotocol/server', 'aws-lambda', 'zod', 'node:buffer'],
  },
  /** Derived from the contract: a bundle has the result and none of this code. */
  'shared/documentation/catalog': { project: ['shared/documentation', ...foundation], packages: [] },
  /** `resend` has the types of the client's answers only. */
  'shared/resend': { project: ['shared/http', ...foundation], packages: ['resend', 'aws-lambda', 'zod'] },
  'shared/http': {
    project: ['shared/console', 'shared/pages', 'shared/services', 'shared/store', ...foundation],
    packages: [
      '@fastify/busboy',
      '@middy/core',
      'aws-lambda',
      'zod',
      'node:buffer',
      'node:crypto',
      'node:http',
      'node:stream/consumers',
      'node:util',
      'node:zlib',
    ],
  },
  /** What browsers load: it knows nothing of the service. */
  'shared/console/browser': { project: [], packages: [] },
  'shared/console': {
    project: ['shared/console/browser', 'shared/pages/html.ts', 'shared/services', ...foundation],
    packages: ['node:crypto', 'zod'],
  },
  'shared/pages': {
    project: ['shared/documentation', 'shared/documentation/catalog', 'shared/services', ...foundation],
    packages: ['node:crypto'],
  },
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
    project: ['shared/store/table', ...foundation],
    packages: ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb', 'zod', 'node:crypto', 'node:timers*'],
  },
  /** The bucket, by requests that the SDK signs. */
  'shared/store/files': {
    project: ['shared/store/table', ...foundation],
    packages: [
      '@aws-sdk/core/client',
      '@aws-sdk/credential-provider-node',
      '@aws-sdk/lib-dynamodb',
      '@smithy/core/checksum',
      '@smithy/core/protocols',
      '@smithy/signature-v4',
      'zod',
      'node:http',
      'node:stream/consumers',
      'node:timers/promises',
    ],
  },
  /** Copies of emails: their files in the bucket, and what the table knows of them. */
  'shared/store/archive': {
    project: ['shared/store', 'shared/store/table', 'shared/store/files', ...foundation],
    packages: ['zod', 'node:util', 'node:zlib'],
  },
  /** Keys, expressions and parts of transactions: what stands above the store knows none of them. */
  'shared/store/table': {
    project: foundation,
    packages: [
      '@aws-sdk/client-dynamodb',
      '@aws-sdk/lib-dynamodb',
      '@aws-sdk/util-dynamodb',
      'zod',
      'node:crypto',
      'node:util',
      'node:zlib',
    ],
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
    project: foundation,
    packages: [
      '@aws-lambda-powertools/batch',
      '@aws-sdk/client-scheduler',
      '@aws-sdk/client-sqs',
      '@smithy/core/retry',
      'aws-lambda',
      'node:timers/promises',
      'zod',
    ],
  },
  'shared/outbound': {
    project: foundation,
    packages: ['node:dns/promises', 'node:http', 'node:https', 'node:net', 'node:timers/promises'],
  },

  /** What the OpenAPI documents and the reference of the MCP server have in common. */
  'shared/documentation': { project: ['shared/contract', 'shared/language', 'shared/platform'], packages: ['zod'] },
  'shared/contract': { project: ['shared/domain', 'shared/language'], packages: ['zod'] },
  'shared/domain': {
    project: ['shared/language'],
    packages: ['zod', 'ipaddr.js', 'htmlparser2', 'node:crypto', 'node:url', 'node:zlib'],
  },
  'shared/language': { project: [], packages: [] },
  'shared/platform': {
    project: [],
    packages: [
      '@aws-sdk/*',
      '@aws-lambda-powertools/logger',
      '@smithy/core/checksum',
      '@smithy/core/protocols',
      '@smithy/core/retry',
      '@smithy/signature-v4',
      '@smithy/types',
      'aws-lambda',
      'zod',
      'node:*',
    ],
  },

  openapi: { project: [], packages: [] },
  'docs/receivers': { project: [], packages: ['node:*'] },
};

/**
 * Folders whose children are subjects: a file directly in a subject is its face, and what only the subject itself uses
 * lies in its `internal` folder.
 */
export const subjects: readonly string[] = [
  'shared/console',
  'shared/console/sections',
  'shared/contract',
  'shared/domain',
  'shared/pages',
  'shared/services',
  'shared/store',
];
