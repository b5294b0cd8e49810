import { createClient } from '@hey-api/openapi-ts';

/** `node generate.mjs DOCUMENT FOLDER` writes the generated part of the client; infra/openapi/client.ts calls it. */
const [input, path] = process.argv.slice(2);
await createClient({
  input,
  output: { path, module: { extension: '.js' } },
  logs: { level: 'silent' },
  plugins: [
    '@hey-api/typescript',
    { name: '@hey-api/client-fetch', throwOnError: true },
    {
      name: '@hey-api/sdk',
      responseStyle: 'data',
      operations: { strategy: 'single', containerName: 'Operations', nesting: 'operationId', methods: 'instance' },
    },
  ],
});
