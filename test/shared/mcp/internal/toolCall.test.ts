import { toolResult } from '../../../../shared/mcp/internal/toolCall.ts';

const call = {
  method: 'GET',
  path: '/',
  access: 'key',
  arguments: { unknown: 'refused', known: [] },
  takesBody: false,
  takesQuery: false,
  headers: {},
  answerHeaders: {},
} as const;

describe('the result of a tool', () => {
  it('is an error for an answer that is not from the API, such as that of a firewall', () => {
    for (const body of ['<html>', '[]', 'null', '']) {
      expect(() => toolResult(call, { status: 200, headers: {}, body }, 'en')).toThrow('internal_error');
    }
    const forbidden = { status: 403, headers: {}, body: '{"message":"Forbidden"}' };
    expect(() => toolResult(call, forbidden, 'en')).toThrow('internal_error');
  });

  it('contains a large answer only once, so that it fits into the answer of a function', () => {
    const data = Array.from({ length: 60_000 }, (_, index) => `person${index}@example.net`);
    const result = toolResult(call, { status: 200, headers: {}, body: JSON.stringify({ data }) }, 'fr');
    expect(result.structuredContent).toEqual({ data });
    expect(JSON.stringify(result.content)).toMatch(/La réponse fait 1\d{3} ko/);
  });

  it.each([
    [500_000, 500_000],
    [500_001, 78],
  ])('of %i characters has a text of %i', (characters, shown) => {
    const body = JSON.stringify({ data: 'x'.repeat(characters - 11) });
    expect(body).toHaveLength(characters);
    const { content } = toolResult(call, { status: 200, headers: {}, body }, 'en');
    expect(content.map((block) => block.type === 'text' && block.text.length)).toEqual([shown]);
  });

  it.each([
    [199, true],
    [200, false],
    [299, false],
    [300, true],
  ])('of status %i is an error: %s', (status, isError) => {
    const result = toolResult(call, { status, headers: {}, body: '{"error":{"code":"conflict"}}' }, 'en');
    expect(result.isError ?? false).toBe(isError);
  });
});
