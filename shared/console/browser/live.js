// @ts-check
// Polls for what changes on a page and shows it in place: less and less often, never while the page is hidden, and no
// more once it has ended.
import { find, findAll, findOptional } from './dom.js';
import { showTimes } from './times.js';

/**
 * One answer of a page's `…/live` address.
 * @typedef {object} Update
 * @property {Record<string, string>} [figures] texts by the name of their element
 * @property {Record<string, { value: number, max: number }>} [bars]
 * @property {Record<string, number>} [shares] from 0 to 1
 * @property {Record<string, string>} [times] ISO 8601
 * @property {readonly Row[]} [rows] new ones, the newest first
 * @property {boolean} [isEnded] true when the page has to be loaded again
 * @property {string} [next] the address to ask from now on
 */

/**
 * @typedef {object} Row
 * @property {string} [href] of its first cell
 * @property {readonly Cell[]} cells
 */

/** @typedef {{ label?: string, text: string, tone?: string, time?: string }} Cell */

const shortestSeconds = 2;
const longestSeconds = 15;

/** As wide as `shareBars` draws the whole (layout/charts.ts). */
const shareWidth = 200;

for (const element of findAll(document, '[data-live]', HTMLElement)) follow(element);

/** @param {HTMLElement} element */
function follow(element) {
  let seconds = shortestSeconds;
  let timer = 0;
  let hasEnded = false;

  async function poll() {
    timer = 0;
    if (document.hidden || hasEnded) return;
    try {
      const answer = await fetch(element.dataset.live ?? '', { headers: { accept: 'application/json' } });
      if (answer.status === 401 || answer.status === 404) return;
      if (answer.ok) show(await answer.json());
    } catch {
      // The next poll tries again.
    }
    seconds = Math.min(seconds * 1.3, longestSeconds);
    pollLater();
  }

  function pollLater() {
    if (timer === 0 && !hasEnded) timer = setTimeout(poll, seconds * 1000);
  }

  /** @param {Update} update */
  function show({ figures = {}, bars = {}, shares = {}, times = {}, rows = [], isEnded = false, next }) {
    for (const [name, text] of Object.entries(figures)) {
      const figure = element.querySelector(`[data-figure="${CSS.escape(name)}"]`);
      if (figure && figure.textContent !== text) {
        figure.textContent = text;
        seconds = Math.min(seconds, 4);
      }
    }
    for (const [name, { value, max }] of Object.entries(bars)) {
      const bar = findOptional(element, `progress[data-bar="${CSS.escape(name)}"]`, HTMLProgressElement);
      if (bar) Object.assign(bar, { max, value });
    }
    for (const [name, share] of Object.entries(shares)) {
      const bar = element.querySelector(`[data-share="${CSS.escape(name)}"]`);
      bar?.setAttribute('width', String(share * shareWidth));
    }
    for (const [name, iso] of Object.entries(times)) {
      const time = findOptional(element, `[data-time="${CSS.escape(name)}"] time`, HTMLTimeElement);
      if (!time) continue;
      time.dateTime = iso;
      if (time.parentElement) showTimes(time.parentElement);
    }
    if (next) element.dataset.live = next;
    if (rows.length > 0 && element.matches('[data-rows]')) {
      find(element, 'tbody', HTMLTableSectionElement).prepend(...rows.map(rowElement));
      element.querySelector('[data-empty]')?.remove();
      seconds = shortestSeconds;
    }
    if (isEnded) {
      hasEnded = true;
      location.reload();
    }
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      clearTimeout(timer);
      timer = 0;
      return;
    }
    seconds = shortestSeconds;
    if (timer === 0) poll();
  });
  pollLater();
}

/** @param {Row} row */
function rowElement({ href, cells }) {
  const line = document.createElement('tr');
  line.setAttribute('role', 'row');
  line.append(...cells.map((cell, index) => (index === 0 ? headingElement(cell, href) : cellElement(cell))));
  showTimes(line);
  return line;
}

/**
 * @param {Cell} cell
 * @param {string | undefined} href
 */
function headingElement(cell, href) {
  const heading = document.createElement('th');
  heading.setAttribute('role', 'rowheader');
  heading.scope = 'row';
  if (href === undefined) heading.append(contentElement(cell));
  else {
    const link = document.createElement('a');
    link.href = href;
    link.textContent = cell.text;
    heading.append(link);
  }
  return heading;
}

/** @param {Cell} cell */
function cellElement(cell) {
  const element = document.createElement('td');
  element.setAttribute('role', 'cell');
  element.dataset.label = cell.label ?? '';
  element.append(contentElement(cell));
  return element;
}

/** @param {Cell} cell */
function contentElement({ text, tone, time }) {
  if (time) {
    const element = document.createElement('time');
    element.dateTime = time;
    element.dataset.local = '';
    return element;
  }
  const element = document.createElement(tone ? 'span' : 'div');
  if (tone) element.className = `tag ${tone}`;
  element.textContent = text;
  return element;
}
