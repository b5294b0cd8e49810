// @ts-check

const refreshMilliseconds = 2000;

/** Loads the changing part of the page again, from this server, while the page is visible. */
const live = document.querySelector('[data-live]');
let shown = '';
if (live instanceof HTMLElement) refresh(live);

for (const button of document.querySelectorAll('[data-delete]')) {
  if (!(button instanceof HTMLButtonElement)) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const answer = await fetch(button.dataset.delete ?? '', { method: 'DELETE' });
    if (answer.ok) location.href = '/inbox';
  });
}

/** @param {HTMLElement} element */
async function refresh(element) {
  if (!document.hidden) {
    try {
      const answer = await fetch(element.dataset.live ?? '', { cache: 'no-store' });
      const markup = answer.ok ? await answer.text() : element.innerHTML;
      if (markup !== shown) {
        element.innerHTML = markup;
        shown = markup;
      }
    } catch {
      // The server is restarting: the next attempt finds it.
    }
  }
  setTimeout(() => refresh(element), refreshMilliseconds);
}
