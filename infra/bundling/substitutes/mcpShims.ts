export { default as process } from 'node:process';

/** In the package this is Ajv, which validates forms that an MCP client's user filled in. Our tools use no forms. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('Forms are not checked here.');
  }
}
