import { html } from '../../pages/html.ts';

/**
 * Sends a file in pieces that a request of Lambda carries, one after the other, each again when nothing was heard of it.
 * Without it the form sends a small file whole.
 */
export const uploadScript = html`'use strict';
for (const form of document.querySelectorAll('form[data-upload]')) {
  const said = form.querySelector('[data-said]');
  const bar = form.querySelector('progress');
  const chosen = form.elements.file;
  const pieceBytes = Number(form.dataset.pieceBytes);
  let isUnderWay = false;

  addEventListener('beforeunload', (event) => { if (isUnderWay) event.preventDefault(); });

  form.addEventListener('submit', async (event) => {
    const file = chosen.files[0];
    if (!file) return;
    event.preventDefault();
    if (isUnderWay) return;
    isUnderWay = true;
    delete form.dataset.sent;
    form.querySelector('button').disabled = true;
    bar.hidden = false;
    bar.max = Math.max(file.size, 1);
    try {
      await upload(file);
    } catch (error) {
      isUnderWay = false;
      form.querySelector('button').disabled = false;
      bar.hidden = true;
      said.textContent = error.said ?? form.dataset.broken;
    }
  });

  async function upload(file) {
    const { place, action } = await post(form.action, file, 0, { filename: file.name, bytes: String(file.size) });
    bar.value = Math.min(pieceBytes, file.size);
    for (let piece = 1; piece * pieceBytes < file.size; piece += 1) {
      await post(action, file, piece, { piece: String(piece) });
      bar.value = Math.min((piece + 1) * pieceBytes, file.size);
    }
    isUnderWay = false;
    location.assign(place);
  }

  async function post(action, file, piece, fields) {
    for (let round = 0; ; round += 1) {
      const body = new FormData();
      for (const input of form.querySelectorAll('input[type=hidden]')) body.set(input.name, input.value);
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      body.set('script', 'yes');
      body.set('file', file.slice(piece * pieceBytes, (piece + 1) * pieceBytes), 'piece');
      let answer = null;
      try { answer = await fetch(action, { method: 'POST', body }); } catch { /* again below */ }
      if (answer?.ok) return answer.json();
      const isPassing = answer === null || answer.status >= 500 || answer.status === 429;
      if (!isPassing || round === 4) throw Object.assign(new Error(), { said: await saidIn(answer) });
      await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** round));
    }
  }

  async function saidIn(answer) {
    if (!answer?.headers.get('content-type')?.startsWith('application/json')) return null;
    return (await answer.json()).said;
  }
}
`;
