import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Parts of packages that never run in Lambda, and what stands in for them there. The local runtime keeps the real ones.
 */
const substitutes: readonly { readonly path: RegExp; readonly contents: string }[] = [
  {
    // Lambda puts the role's credentials into the environment; the chain of the other sources is some 110 kB.
    path: /@aws-sdk\/credential-provider-node\/dist-es\/index\.js$/,
    contents: "export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';",
  },
  {
    // Read only for operations that stream events (Kinesis, Bedrock); none of our clients has one.
    path: /@smithy\/core\/dist-es\/submodules\/event-streams\/index\.js$/,
    contents: unavailable('EventStreamSerde', 'eventStreamSerdeProvider'),
  },
  {
    // Signs for several regions at once, which SES does for its global endpoints alone; the other signatures are this one.
    path: /@aws-sdk\/signature-v4-multi-region\/dist-es\/index\.js$/,
    contents: "export { SignatureV4 as SignatureV4MultiRegion } from '@smithy/signature-v4';",
  },
  {
    // The message is given a media type for every part, so nodemailer's own table (76 kB) is never asked.
    path: /nodemailer\/dist\/esm\/mime-funcs\/mime-types\.js$/,
    contents:
      "export const detectMimeType = () => 'application/octet-stream'; export const detectExtension = () => 'bin';",
  },
  {
    // The headers with addresses are written by us, and the Message-ID is given: nothing is left to be parsed.
    path: /nodemailer\/dist\/esm\/addressparser\/index\.js$/,
    contents: `${unavailable('addressparser')} export default addressparser;`,
  },
  {
    path: /nodemailer\/dist\/esm\/punycode\/index\.js$/,
    contents: unavailable('toASCII', 'toUnicode', 'ucs2', 'decode', 'encode'),
  },
  {
    // Ajv checks what an MCP client's user filled into a form: our tools ask for none. It is 120 kB.
    path: /@modelcontextprotocol\/server\/dist\/shimsNode\.mjs$/,
    contents: `${unavailable('DefaultJsonSchemaValidator')} export { default as process } from 'node:process';`,
  },
  {
    // Messages are composed with `disableUrlAccess`: nodemailer never fetches anything.
    path: /nodemailer\/dist\/esm\/fetch\/index\.js$/,
    contents: `${unavailable('fetch')} export default fetch;`,
  },
];

function unavailable(...names: string[]): string {
  return names
    .map((name) => `export function ${name}() { throw new Error('${name} is not part of this bundle.'); }`)
    .join(' ');
}

export const withoutUnusedModules: Plugin = {
  name: 'without-unused-modules',
  setup({ onLoad }) {
    for (const { path, contents } of substitutes) {
      onLoad({ filter: path }, (file) => ({ contents, loader: 'js', resolveDir: resolve(file.path, '..') }));
    }
  },
};
