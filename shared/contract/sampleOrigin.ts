/** The address in the code samples of the OpenAPI documents; a deployment serves them with its own. */
export const sampleOrigin = 'https://mail.example.com';
