import type { APIGatewayProxyResult } from 'aws-lambda';

/** Browsers ask for it beside any answer that is no page: there is none, which is no error, and need not be asked again. */
export async function icon(): Promise<APIGatewayProxyResult> {
  return { statusCode: 204, headers: { 'Cache-Control': 'public, max-age=86400' }, body: '' };
}
