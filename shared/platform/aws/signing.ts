import { createHash, createHmac, createSecretKey } from 'node:crypto';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { SignatureV4 } from '@smithy/signature-v4';
import { config } from '../config.ts';

/** Found once a process, and found anew before they expire. */
const credentials = defaultProvider();

/** Signs as the SDK signs, in the region of this process. */
export const newSigner = (service: string, options: { readonly uriEscapePath?: boolean } = {}): SignatureV4 =>
  new SignatureV4({ service, region: config('AWS_REGION'), credentials, sha256: Sha256, ...options });

const bytesOf = (data: string | ArrayBuffer | ArrayBufferView): Uint8Array | string => {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};

/** Bytes are first asked whether they are a key object, which takes Node ten times as long as all the rest. */
const keyOf = (secret: string | ArrayBuffer | ArrayBufferView) =>
  typeof secret === 'string' ? secret : createSecretKey(bytesOf(secret) as Uint8Array);

/** SHA-256, or its HMAC, in the form that the signer asks for. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', keyOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}
