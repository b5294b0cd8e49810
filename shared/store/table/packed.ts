import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** A value as compressed JSON. Quick rather than small: a million addresses are packed within one call. */
export const pack = (value: unknown): Promise<Buffer> =>
  compress(JSON.stringify(value), { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });

export async function unpack<T>(bytes: Uint8Array): Promise<T> {
  return JSON.parse((await decompress(bytes)).toString('utf8')) as T;
}
