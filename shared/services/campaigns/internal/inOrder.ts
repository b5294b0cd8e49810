/** Values of several streams, each in ascending order, as one stream in that order. One page of each is read ahead. */
export async function* inOrder(streams: readonly AsyncIterable<readonly string[]>[]): AsyncGenerator<string[]> {
  const open = new Set(streams.map(openRun));
  while (open.size > 0) {
    for (const run of open) if (!(await fill(run))) open.delete(run);
    const ends = [...open].map(({ page }) => page.at(-1) ?? '');
    const bound = ends.sort()[0] ?? '';
    const next = [...open].flatMap((run) => takeUpTo(run, bound));
    if (next.length > 0) yield next.sort();
  }
}

/** A stream, the rest of its page, and the requested next page. */
interface Run {
  readonly pages: AsyncIterator<readonly string[]>;
  page: readonly string[];
  next: Promise<IteratorResult<readonly string[]>>;
}

function openRun(stream: AsyncIterable<readonly string[]>): Run {
  const pages = stream[Symbol.asyncIterator]();
  return { pages, page: [], next: requested(pages) };
}

/** A failure is thrown when the page is awaited; until then it must not count as unhandled. */
function requested(pages: Run['pages']): Run['next'] {
  const next = pages.next();
  next.catch(() => {});
  return next;
}

/** False at the end of the stream. */
async function fill(run: Run): Promise<boolean> {
  while (run.page.length === 0) {
    const { value, done } = await run.next;
    if (done) return false;
    run.page = value;
    run.next = requested(run.pages);
  }
  return true;
}

function takeUpTo(run: Run, bound: string): readonly string[] {
  const above = run.page.findIndex((value) => value > bound);
  const taken = above === -1 ? run.page : run.page.slice(0, above);
  run.page = run.page.slice(taken.length);
  return taken;
}
