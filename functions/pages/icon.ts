/** Browsers request this icon by themselves. An empty answer that they cache for a day keeps errors out of the log. */
export const handler = async () => ({
  statusCode: 204,
  headers: { 'Cache-Control': 'public, max-age=86400' },
  body: '',
});
