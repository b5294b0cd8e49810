import { html } from '../../pages/html.ts';

/**
 * Asks from time to time what has become of something, and shows it where it stands: less and less often, never while
 * nobody sees the page, and no more when it is over.
 */
export const liveScript = html`'use strict';
for (const place of document.querySelectorAll('[data-live]')) {
  let seconds = 2;
  let timer = null;
  let isOver = false;

  async function look() {
    timer = null;
    if (document.hidden || isOver) return;
    try {
      const answer = await fetch(place.dataset.live, { headers: { accept: 'application/json' } });
      if (answer.status === 401 || answer.status === 404) return;
      if (answer.ok) show(await answer.json());
    } catch { /* the next time */ }
    seconds = Math.min(seconds * 1.3, 15);
    again();
  }

  function again() {
    if (timer === null && !isOver) timer = setTimeout(look, seconds * 1000);
  }

  function show({ figures = {}, bars = {}, shares = {}, times = {}, rows = [], isEnded = false, next }) {
    for (const [name, text] of Object.entries(figures)) {
      const shown = place.querySelector('[data-figure="' + CSS.escape(name) + '"]');
      if (shown && shown.textContent !== text) { shown.textContent = text; seconds = Math.min(seconds, 4); }
    }
    for (const [name, { value, max }] of Object.entries(bars)) {
      const bar = place.querySelector('progress[data-bar="' + CSS.escape(name) + '"]');
      if (bar) { bar.max = max; bar.value = value; }
    }
    for (const [name, share] of Object.entries(shares)) {
      place.querySelector('[data-share="' + CSS.escape(name) + '"]')?.setAttribute('width', String(share * 200));
    }
    for (const [name, iso] of Object.entries(times)) {
      const shown = place.querySelector('[data-time="' + CSS.escape(name) + '"]');
      const time = shown?.querySelector('time');
      if (time) { time.dateTime = iso; showTimes(shown); }
    }
    if (next) place.dataset.live = next;
    const body = place.matches('[data-rows]') ? place.querySelector('tbody') : null;
    for (const row of body ? [...rows].reverse() : []) {
      body.prepend(lineOf(row));
      seconds = 2;
      place.querySelector('[data-none]')?.remove();
    }
    if (isEnded) { isOver = true; location.reload(); }
  }

  function lineOf({ href, cells }) {
    const line = document.createElement('tr');
    line.setAttribute('role', 'row');
    cells.forEach(({ label, text, tone, time }, index) => {
      const cell = document.createElement(index === 0 ? 'th' : 'td');
      cell.setAttribute('role', index === 0 ? 'rowheader' : 'cell');
      if (index === 0) cell.scope = 'row'; else cell.dataset.label = label;
      const shown = document.createElement(index === 0 && href ? 'a' : tone ? 'span' : time ? 'time' : 'div');
      if (index === 0 && href) shown.href = href;
      if (tone) shown.className = 'tag ' + tone;
      if (time) { shown.dateTime = time; shown.dataset.local = ''; } else shown.textContent = text;
      cell.append(shown);
      showTimes(cell);
      line.append(cell);
    });
    return line;
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) { clearTimeout(timer); timer = null; return; }
    seconds = 2;
    if (timer === null) look();
  });
  again();
}
`;
